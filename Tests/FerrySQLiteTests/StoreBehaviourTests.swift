// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryStore
import FerryTestSupport
import Foundation
import Synchronization
import Testing

@testable import FerryPlanning
@testable import FerrySQLite

/// Behaviour that only a store in a file has: other writers, and readers beside writers.
@Suite(.timeLimit(.minutes(1)))
struct StoreBehaviourTests {
  @Test func `readers see an import whole or not at all`() throws {
    let world = try TestWorld()
    let rows = (0..<1500).map { number in
      ImportRow(
        objectID: "object\(number)", createdAt: .now, version: nil, acl: .null,
        values: [.string("x"), 1, .null, .null, .null, .null, .null, .null])
    }
    let group = DispatchGroup()
    // These have their own threads: readers that wait for the writer must not block a thread pool.
    let reading = Reading(world)
    for _ in 0..<2 {
      group.enter()
      Thread.detachNewThread {
        reading.run()
        group.leave()
      }
    }
    for _ in 0..<4 {
      let localIDs = try world.store.sync(.normal) { try $0.apply(rows, to: "Game") }
      try world.store.sync(.normal) { try $0.remove(localIDs, from: "Game") }
    }
    reading.stop()
    group.wait()
    #expect(reading.views.withLock { $0 }.isSubset(of: ["0 0 52", "1500 1500 52"]))
  }

  @Test func `a throw undoes everything and the triggers stay`() throws {
    struct Stop: Error {}
    let world = try TestWorld()
    #expect(throws: Stop.self) {
      try world.store.sync(.full) { db throws in
        try db.setBookkeeping("key", to: "{}")
        try world.importRow("one", in: db)
        throw Stop()
      }
    }
    #expect(try world.store.read { try $0.count(of: "Game") } == 0)
    #expect(try world.store.syncRead { try $0.bookkeeping("key") } == nil)
    try world.foreign("INSERT INTO Game (title) VALUES ('edit')")
    #expect(try world.log().count == 1)
  }

  @Test func `a write inside a write is an error and no deadlock`() throws {
    let world = try TestWorld()
    try world.store.write { db throws in
      try db.insert("Game", ["title": "outer"])
      expectStoreError(.database) {
        try world.store.write { _ = try $0.insert("Game", ["title": "inner"]) }
      }
      #expect(try world.store.read { try $0.count(of: "Game") } == 0, "the old view, beside it")
    }
    #expect(try world.store.read { try $0.count(of: "Game") } == 1)
  }

  @Test func `a reader kept beyond its closure is an error`() throws {
    let world = try TestWorld()
    let reader = try world.store.read { $0 }
    expectStoreError(.database) { try reader.count(of: "Game") }
    let transaction = try world.store.write { $0 }
    expectStoreError(.database) { try transaction.insert("Game", [:]) }
  }

  @Test func `what plain SQL left in a column is read as it is`() throws {
    let world = try TestWorld()
    try world.foreign(
      """
      INSERT INTO Game (title, playedAt, details, isOpen, rating, league)
      VALUES ('', 'yesterday', '{broken', 7, 9e999, '')
      """)
    let fields = try #require(try world.store.read { try $0.records(of: "Game") }.first).fields
    #expect(fields["playedAt"] == "yesterday")
    #expect(fields["details"] == "{broken")
    #expect(fields["isOpen"] == 7)
    #expect(fields["rating"] == .number(.infinity))
    #expect(fields["title"] == "")
    try world.foreign("UPDATE Game SET rating = 1")
    try world.store.sync(.full) { try $0.fold() }
    #expect(try world.store.syncRead { try $0.outbox(of: "Game") }.count == 1)
    #expect(throws: ForeignProgram.Failure.self) {
      try world.foreign("UPDATE Game SET score = 'many'")
    }
  }

  /// To repair a text would send another text than the column holds.
  @Test(arguments: ["title", "details", "league", "playedAt"])
  func `bytes that are no text are read as bytes`(column: String) throws {
    let world = try TestWorld()
    try world.foreign("INSERT INTO Game (\(column)) VALUES (CAST(x'E92041' AS TEXT))")
    let fields = try #require(try world.store.read { try $0.records(of: "Game") }.first).fields
    #expect(fields[column] == .bytes([0xE9, 0x20, 0x41]))
    try world.store.sync(.full) { try $0.fold() }
    #expect(try world.store.syncRead { try $0.outbox(of: "Game") }.count == 1)
  }

  @Test func `commits are signalled, those of other processes at the next use`() async throws {
    let world = try TestWorld()
    var signals = world.store.changes.makeAsyncIterator()
    try await world.store.write { _ = try $0.insert("Game", ["title": "Final"]) }
    let own = try #require(await signals.next())
    #expect(own.classNames == ["Game"] && own.authors == [.app])
    try world.foreign("INSERT INTO League (name) VALUES ('North')")
    _ = try await world.store.read { try $0.count(of: "Game") }
    let foreign = try #require(await signals.next())
    #expect(foreign.classNames == ["League"])
    #expect(foreign.token > own.token)
    try world.importGame("one")
    #expect(try #require(await signals.next()).authors == [.sync])
  }

  @Test func `an infinite number in the outbox is kept`() throws {
    let world = try TestWorld()
    var entry = OutboxEntry(
      className: "Game", localID: LocalID(rawValue: 1), objectID: "x", kind: .update,
      foldedThrough: .start)
    entry.base = ["rating": .number(-.infinity), "title": "inf"]
    try world.store.sync(.full) { try $0.put(entry) }
    #expect(try world.store.syncRead { try $0.outbox(of: nil) } == [entry])
  }

  @Test func `a replaced id is replaced in every pointer and only there`() throws {
    let world = try TestWorld()
    let league = try world.store.write { try $0.insert("League", ["name": "North"]) }
    let game = try world.store.write { db throws in
      try db.insert(
        "Game",
        [
          "title": .string(league.objectID), "league": .pointer(league),
          "details": ["deep": [["to": .pointer(league)], .string(league.objectID)]],
        ])
    }
    try world.store.sync(.full) { try $0.fold() }
    // One more edit that is not folded yet.
    try world.foreign("INSERT INTO Game (league) VALUES ('\(league.objectID)')")
    try world.store.sync(.full) { db throws in
      try db.acknowledgeCreate(
        of: "League", localID: league.localID, objectID: "server1", createdAt: .now)
    }
    let named = Value.pointer(Pointer(className: "League", objectID: "server1"))
    let games = try world.store.read { try $0.records(of: "Game") }
    #expect(games.map { $0["league"] } == [named, named])
    #expect(games[0]["title"] == .string(league.objectID))
    #expect(games[0]["details"] == ["deep": [["to": named], .string(league.objectID)]])
    try world.store.syncRead { db throws in
      #expect(try db.record(of: "League", objectID: league.objectID)?.objectID == "server1")
      #expect(try db.aliases(of: [league.objectID, "other"]) == [league.objectID: "server1"])
      #expect(try db.outboxEntries(of: "League", objectIDs: ["server1"]).count == 1)
      #expect(try db.pendingEntries(of: "Game").map(\.kind) == [.create, .create])
      #expect(try db.acknowledgedCount(of: "League") == 1)
    }
    #expect(game.localID == games[0].localID)
    #expect(
      try world.foreign("SELECT count(*) FROM Game JOIN League ON league = League.objectId")
        == [["2"]])
  }
}

/// Reads until it is told to stop, and records rows counted, rows read, and triggers.
private final class Reading: Sendable {
  let views = Mutex<Set<String>>([])
  private let world: TestWorld
  private let isDone = Mutex(false)

  init(_ world: TestWorld) { self.world = world }

  func stop() { isDone.withLock { $0 = true } }

  func run() {
    while !isDone.withLock({ $0 }) {
      let view: String
      do {
        view = try world.store.read { db in
          let triggers = try (db as? SQLiteReader)?.statement(
            "SELECT count(*) FROM sqlite_schema WHERE type = 'trigger'"
          ).first { $0.count(0) }
          return "\(try db.count(of: "Game")) \(try db.records(of: "Game").count) \(triggers ?? 0)"
        }
      } catch {
        view = "\(error)"
      }
      views.withLock { _ = $0.insert(view) }
    }
  }
}

extension TestWorld {
  /// Imports a game inside a transaction.
  func importRow(_ objectID: String, in transaction: any SyncTransaction) throws {
    let row = ImportRow(
      objectID: objectID, createdAt: .now, version: nil, acl: .null,
      values: ["Final", 1, .null, .null, .null, .null, .null, .null])
    try transaction.apply([row], to: "Game")
  }

  @Test func `an entry that another program has written since is read anew`() throws {
    let world = try TestWorld()
    let game = try world.store.write { try $0.insert("Game", ["title": "Final"]) }
    let entry = try world.store.sync(.full) { db throws in
      try db.fold()
      return try #require(try db.outboxEntries(of: "Game", localIDs: [game.localID]).first)
    }
    var sent = entry
    sent.begin(
      Attempt(kind: .create, sent: ["title": "Final"], token: .start, startedAt: .now),
      clientKey: "key")
    try world.reopened().sync(.full) { [sent] db throws in try db.put(sent) }
    try world.store.sync(.full) { [sent] db throws in
      #expect(try db.outboxEntries(of: "Game", localIDs: [game.localID]) == [sent])
    }
  }
}
