// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import FerryStore
import FerryTestSupport
import Foundation
import Testing

@testable import FerrySQLite

/// An older program opens a store while a newer one shows lists of it.
@Suite(.timeLimit(.minutes(1)))
struct OlderProgramTests {
  private static let league = Entity("League", fields: [Field("name", .text)])
  private static let game = Entity("Game", fields: [Field("title", .text), Field("note", .text)])
  private static let wide = Schema([league, game])
  private static let narrow = Schema([Entity("Game", fields: [Field("title", .text)])])
  private static let newerSteps =
    Migration.all + [
      Migration(
        format: Migration.all.count + 1, statements: ["CREATE TABLE ferry_new (x)"])
    ]

  /// Opens a store by the rules of another version of Ferry.
  private func opened(_ world: TestWorld, by steps: [Migration]) throws -> SQLiteStore {
    try SQLiteStore(at: world.url, schema: Self.wide, surroundings: .live, migrations: steps)
  }

  /// A game of the server, whose note the app has edited.
  private func editedGame(in world: TestWorld) throws -> LocalID {
    let row = ImportRow(
      objectID: "s1", createdAt: Timestamp(milliseconds: 1_700_000_000_000),
      version: ServerVersion(rawValue: "2026-03-01T18:30:00.250Z"), acl: .null, values: ["a", "b"])
    let game = try #require(try world.store.sync(.full) { try $0.apply([row], to: "Game") }.first)
    try world.store.write { try $0.update("Game", game, ["note": "mine"]) }
    try world.store.sync(.full) { try $0.fold() }
    return game
  }

  @Test func `lists go on while a program with fewer classes and fields works`() async throws {
    let world = try TestWorld(schema: Self.wide)
    let game = try editedGame(in: world)
    var games = world.store.observe(Query("Game")).makeAsyncIterator()
    var leagues = world.store.observe(Query("League")).makeAsyncIterator()
    #expect(try await games.next()?.count == 1)
    #expect(try await leagues.next()?.isEmpty == true)
    // It takes the edit of the note, which it does not know, out of the outbox.
    let older = try world.reopened(schema: Self.narrow)
    try await older.write { try $0.update("Game", game, ["title": "c"]) }
    #expect(try await games.next()?.map(\.fields) == [["title": "c", "note": "mine"]])
    let new = try await older.write { try $0.insert("Game", ["title": "d"]) }
    #expect(try await games.next()?.map { $0["title"] } == ["c", "d"])
    try await world.store.write { try $0.insert("League", ["name": "North"]) }
    #expect(try await leagues.next()?.count == 1)
    try await older.write { try $0.delete(new) }
    #expect(try await games.next()?.count == 1)
    try world.store.prepareForSync()
    try world.store.sync(.full) { try $0.fold() }
    let pending = try world.store.syncRead { try $0.pendingEntries(of: nil) }
    #expect(pending.map(\.className).sorted() == ["Game", "League"])
    let edit = pending.first { $0.className == "Game" }
    #expect(edit?.changed == ["note", "title"])
    #expect(edit?.base == ["note": "b", "title": "a"])
  }

  @Test func `an older version of Ferry may not open the store, and the list goes on`() async throws
  {
    let world = try TestWorld(schema: Self.wide)
    try await world.store.write { try $0.insert("Game", ["title": "a"]) }
    var games = world.store.observe(Query("Game")).makeAsyncIterator()
    #expect(try await games.next()?.count == 1)
    let before = try world.foreign("SELECT * FROM ferry_meta", "SELECT sql FROM sqlite_schema")
    let error = expectStoreError(.newerFormat) {
      try opened(world, by: Array(Migration.all.dropLast()))
    }
    #expect(error?.message.contains("The file was not changed.") == true)
    #expect(
      try world.foreign("SELECT * FROM ferry_meta", "SELECT sql FROM sqlite_schema") == before)
    try await world.store.write { try $0.insert("Game", ["title": "b"]) }
    #expect(try await games.next()?.map { $0["title"] } == ["a", "b"])
  }

  @Test func `lists end with an error once a newer version of Ferry has opened the store`()
    async throws
  {
    let world = try TestWorld(schema: Self.wide)
    try await world.store.write { try $0.insert("Game", ["title": "a"]) }
    var games = world.store.observe(Query("Game")).makeAsyncIterator()
    #expect(try await games.next()?.count == 1)
    let newer = try opened(world, by: Self.newerSteps)
    await #expect {
      _ = try await games.next()
    } throws: {
      ($0 as? StoreError)?.code == .newerFormat
    }
    #expect(try await games.next() == nil)
    let error = expectStoreError(.newerFormat) {
      try world.store.write { try $0.insert("Game", ["title": "b"]) }
    }
    #expect(error?.message.contains("Nothing was read or written.") == true)
    expectStoreError(.newerFormat) { try world.store.sync(.full) { try $0.fold() } }
    expectStoreError(.newerFormat) { try world.store.overlaid().read { try $0.count(of: "Game") } }
    #expect(try await newer.read { try $0.records(of: "Game") }.map { $0["title"] } == ["a"])
    try await newer.write { try $0.insert("Game", ["title": "b"]) }
    #expect(try await newer.read { try $0.count(of: "Game") } == 2)
  }

  @Test func `lists end with an error once a program keeps a field in another column`() async throws
  {
    let world = try TestWorld(schema: Self.wide)
    try await world.store.write { try $0.insert("Game", ["title": "a", "note": "b"]) }
    var games = world.store.observe(Query("Game")).makeAsyncIterator()
    #expect(try await games.next()?.count == 1)
    let moved = Schema([
      Entity("Game", fields: [Field("title", .text), Field("note", .text, column: "remark")])
    ])
    let other = try world.reopened(schema: moved)
    await #expect {
      _ = try await games.next()
    } throws: {
      ($0 as? StoreError)?.code == .invalidSchema
    }
    #expect(try await other.read { try $0.records(of: "Game") }.first?["note"] == "b")
  }
}
