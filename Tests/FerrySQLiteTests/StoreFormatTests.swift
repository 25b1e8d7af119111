// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import FerryStore
import FerryTestSupport
import Foundation
import Testing

@testable import FerrySQLite

/// The store's format: an earlier one is brought up to date, and a later one is refused.
@Suite(.timeLimit(.minutes(1)))
struct StoreFormatTests {
  @Test func `a store of the first format is opened`() throws {
    let folder = try TemporaryFolder()
    let url = folder.url.appending(path: "games.sqlite")
    let fixture = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Fixtures/stores/format-1.sql").standardized
    let dump = try String(contentsOf: fixture, encoding: .utf8)
    _ = try ForeignProgram(path: url.path(percentEncoded: false)).run([dump])
    let store = try SQLiteStore(at: url, schema: TestWorld.schema)
    let games = try store.read { try $0.records(of: "Game") }
    #expect(games.map(\.objectID) == ["one", "two"])
    #expect(games.map { $0["title"] } == ["Edited", "Final"])
    #expect(try store.syncRead { try $0.acknowledgedCount(of: "Game") } == 2)
    let pending = try store.syncRead { try $0.pendingEntries(of: nil) }
    #expect(pending.map(\.kind) == [.update, .create])
    #expect(pending.first?.base == ["title": "Final"])
    #expect(try store.syncRead { try $0.bookkeeping("key") } == "{}")
    let conflict = try #require(try store.read { try $0.conflicts() }.first)
    #expect(conflict.lost == ["title": "Third"] && conflict.acl == ["*": ["read": true]])
    #expect(conflict.isSeen == conflict.isRestored && conflict.run == nil)
    #expect(try store.read { try $0.unseenConflictCounts() } == ["Game": 1])
    // The triggers are those of the newest format.
    #expect(throws: ForeignProgram.Failure.self) {
      try ForeignProgram(path: url.path(percentEncoded: false))
        .run(["INSERT INTO Game (localId) VALUES (\(Int64.max))"])
    }
    // The first formats had no notes of transactions.
    let history = try store.read {
      try $0.transactions(after: .start, matching: HistoryFilter(), limit: 9)
    }
    #expect(history.transactions.map(\.time) == [nil])
    try store.write { try $0.delete("Game", games[1].localID) }
    #expect(try store.undo()?.undone.map(\.kind) == [.delete])
    try store.write { try $0.delete("Game", games[1].localID) }
    #expect(try store.syncRead { try $0.acknowledgedCount(of: "Game") } == 1)
  }

  @Test func `the triggers of an earlier format are made anew`() throws {
    let folder = try TemporaryFolder()
    let url = folder.url.appending(path: "games.sqlite")
    let earlier = Migration.all.filter { $0.format < 5 }
    _ = try SQLiteStore(
      at: url, schema: TestWorld.schema, surroundings: .live, migrations: earlier)
    let program = ForeignProgram(path: url.path(percentEncoded: false))
    let text = "SELECT sql FROM sqlite_schema WHERE name = 'ferry_protect_1'"
    let newest = try program.run([text])
    // SQLite does not count this change, and the text is as long as before.
    _ = try program.run([
      "PRAGMA writable_schema = ON",
      "UPDATE sqlite_schema SET sql = replace(sql, 'come from', 'came from')"
        + " WHERE name = 'ferry_protect_1'",
    ])
    #expect(try program.run([text]) != newest)
    _ = try SQLiteStore(at: url, schema: TestWorld.schema)
    #expect(try program.run([text]) == newest)
  }

  @Test func `steps that are missing are taken in order and once`() throws {
    let world = try TestWorld()
    try world.store.write { _ = try $0.insert("Game", ["title": "Final"]) }
    let next = Migration.all.count + 1
    let steps =
      Migration.all + [
        Migration(format: next, statements: ["CREATE TABLE ferry_new (x)"]),
        Migration(format: next + 1, statements: ["ALTER TABLE ferry_new RENAME TO ferry_newer"]),
      ]
    for _ in 0..<2 {
      let store = try SQLiteStore(
        at: world.url, schema: TestWorld.schema, surroundings: .live, migrations: steps)
      #expect(try store.read { try $0.count(of: "Game") } == 1)
    }
    #expect(try world.foreign("SELECT count(*) FROM ferry_newer") == [["0"]])
    let error = expectStoreError(.newerFormat) { try world.reopened() }
    #expect(error?.message.contains("format \(next + 1)") == true)
  }

  @Test func `a step that fails changes nothing`() throws {
    let world = try TestWorld()
    let steps =
      Migration.all + [
        Migration(
          format: Migration.all.count + 1,
          statements: ["CREATE TABLE ferry_new (x)", "SELECT * FROM nowhere"])
      ]
    expectStoreError(.database) {
      try SQLiteStore(
        at: world.url, schema: TestWorld.schema, surroundings: .live, migrations: steps)
    }
    #expect(
      try world.foreign("SELECT count(*) FROM sqlite_schema WHERE name = 'ferry_new'") == [["0"]])
    _ = try world.reopened()
  }
}
