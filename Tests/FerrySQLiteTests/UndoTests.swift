// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import FerryStore
import FerryTestSupport
import Foundation
import Synchronization
import Testing

@testable import FerrySQLite

/// Undo beside other programs, rules of the database, and clocks that are wrong.
struct UndoTests {
  @Test func `values of a unique index are undone in an order that works`() throws {
    let world = try TestWorld()
    let games = try world.store.write { db in
      try (1...2).map { try db.insert("Game", ["title": "\($0)", "score": .integer(Int64($0))]) }
    }
    _ = try world.foreign(
      "CREATE TRIGGER unique_score BEFORE UPDATE OF score ON Game"
        + " WHEN EXISTS (SELECT 1 FROM Game WHERE score = NEW.score AND localId <> NEW.localId)"
        + " BEGIN SELECT RAISE(ABORT, 'taken'); END")
    try world.store.write { db in
      try db.update(games[0], ["score": 3])
      try db.update(games[1], ["score": 1])
    }
    let result = try #require(try world.store.undo())
    #expect(result.kept.isEmpty)
    #expect(try world.store.read { try $0.records(of: "Game").map { $0["score"] } } == [1, 2])
  }

  @Test func `a program with fewer fields undoes none of the others' rows and transactions`() throws
  {
    let narrow = Schema {
      Entity("League") { Field("name", .text) }
      Entity("Game") { Field("title", .text) }
    }
    let world = try TestWorld()
    let store = try world.reopened(schema: narrow)
    let game = try store.write { try $0.insert("Game", ["title": "a"]) }
    try world.store.write { try $0.update(game, ["rating": 5]) }
    let undone = try #require(try store.undo())
    #expect(undone.kept.map(\.reason) == [.needsOtherProgram])
    #expect(try world.store.read { try $0.records(of: "Game").map { $0["rating"] } } == [5])
    // The other program's own edit is still its to undo.
    #expect(try world.store.undo()?.undone.map(\.before) == [["rating": .null]])
    #expect(try store.undo() == nil)
  }

  @Test func `a row that another took the place of is not mixed with it`() throws {
    let world = try TestWorld()
    let old = try world.store.write { try $0.insert("Game", ["title": "old", "rating": 1]) }
    _ = try world.foreign("DELETE FROM Game")
    _ = try world.foreign(
      "INSERT INTO Game (localId, objectId, title) VALUES (\(old.localID), 'other', 'new')")
    try world.store.write { try $0.insert("League", [:]) }
    let page = try world.store.read {
      try $0.transactions(after: .start, matching: HistoryFilter(classNames: ["Game"]), limit: 9)
    }
    #expect(page.transactions.map { $0.time == nil } == [false, true])
    let result = try world.store.write { try $0.undo(page.transactions[1]) }
    #expect(result.undone.isEmpty)
    #expect(try world.store.read { try $0.records(of: "Game").map(\.objectID) } == ["other"])
  }

  @Test func `history is kept where a clock was wrong`() throws {
    let folder = try TemporaryFolder()
    let clock = Mutex(Timestamp(milliseconds: 1_900_000_000_000))
    let store = try SQLiteStore(
      at: folder.url.appending(path: "games.sqlite"), schema: TestWorld.schema,
      generator: SystemRandomNumberGenerator(), now: { clock.withLock(\.self) })
    func prune() throws {
      let now = clock.withLock(\.self)
      let retention = HistoryRetention(since: now.adding(.seconds(-7 * 86_400)))
      _ = try store.sync(.full) { try $0.pruneHistory(keeping: retention, limit: .max) }
    }
    // The clock is years ahead, then right, and then two seconds behind.
    for _ in 0..<3 { try store.write { try $0.insert("Game", [:]) } }
    clock.withLock { $0 = Timestamp(milliseconds: 1_800_000_000_000) }
    try store.write { try $0.insert("Game", [:]) }
    try store.sync(.full) { try $0.fold() }
    clock.withLock { $0 = $0.adding(.seconds(-2)) }
    try prune()
    #expect(try store.read { try $0.changes(after: .start, limit: 9) }.count == 4)
    // After eight days, all but the last change may go.
    clock.withLock { $0 = $0.adding(.seconds(8 * 86_400)) }
    try prune()
    #expect(try store.read { try $0.historyExtent() }.count == 1)
  }
}
