// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import FerryStore
import FerryTestSupport
import Testing

@testable import FerrySQLite

/// REPLACE removes rows without firing a trigger.
///
/// Afterwards there is one updated record, or the statement was refused with an explanation.
@Suite(.timeLimit(.minutes(2)))
struct ReplaceTests {
  enum Outcome: Equatable, Sendable {
    case refused
    case unchanged
    /// The title of record "one", and the number of games.
    case updated(title: String, games: Int)
  }

  struct Form: Sendable, CustomTestStringConvertible {
    var sql: String
    var outcome: Outcome
    var testDescription: String { sql }
  }

  static let forms: [Form] = [
    Form(
      sql: "REPLACE INTO Game (objectId, title) VALUES ('one', 'New')",
      outcome: .updated(title: "New", games: 2)),
    Form(
      sql:
        "INSERT OR REPLACE INTO Game (objectId, title) VALUES ('one', 'New'), ('three', 'Other')",
      outcome: .updated(title: "New", games: 3)),
    Form(
      sql: "INSERT OR REPLACE INTO Game (localId, objectId, title) VALUES (1, 'one', 'New')",
      outcome: .updated(title: "New", games: 2)),
    Form(sql: "REPLACE INTO Game (localId, title) VALUES (1, 'New')", outcome: .refused),
    Form(
      sql: "REPLACE INTO Game (localId, objectId, title) VALUES (1, 'other', 'New')",
      outcome: .refused),
    Form(
      sql: "REPLACE INTO Game (localId, objectId, title) VALUES (2, 'one', 'New')",
      outcome: .refused),
    Form(
      sql: "REPLACE INTO Game (localId, objectId, title) VALUES (9, 'one', 'New')",
      outcome: .updated(title: "New", games: 2)),
    Form(
      sql: "INSERT INTO Game (localId, title) VALUES (1, 'New') "
        + "ON CONFLICT (localId) DO UPDATE SET title = excluded.title",
      outcome: .updated(title: "New", games: 2)),
    Form(
      sql: "INSERT INTO Game (objectId, title) VALUES ('one', 'New') "
        + "ON CONFLICT (objectId) DO UPDATE SET title = excluded.title",
      outcome: .updated(title: "New", games: 2)),
    Form(
      sql: "INSERT INTO Game (objectId, title) VALUES ('one', 'New') ON CONFLICT DO NOTHING",
      outcome: .unchanged),
    Form(
      sql: "INSERT OR IGNORE INTO Game (objectId, title) VALUES ('one', 'New')", outcome: .unchanged
    ),
    Form(
      sql: "INSERT OR IGNORE INTO Game (localId, title) VALUES (1, 'New')", outcome: .unchanged),
    Form(
      sql: "UPDATE OR REPLACE Game SET title = 'New' WHERE objectId = 'one'",
      outcome: .updated(title: "New", games: 2)),
    Form(
      sql: "UPDATE OR IGNORE Game SET title = 'New' WHERE objectId = 'one'",
      outcome: .updated(title: "New", games: 2)),
    Form(
      sql: "UPDATE OR REPLACE Game SET objectId = 'two' WHERE objectId = 'one'", outcome: .refused),
    Form(
      sql: "INSERT INTO Game (objectId, title) VALUES ('one', 'New')", outcome: .refused),
    Form(sql: "INSERT INTO Game (localId, title) VALUES (0, 'New')", outcome: .refused),
    Form(sql: "REPLACE INTO Game (localId, title) VALUES (-1, 'New')", outcome: .refused),
    Form(
      sql: "REPLACE INTO Game (localId, objectId, title) VALUES (-7, 'one', 'New')",
      outcome: .refused),
  ]

  @Test(arguments: forms, [true, false])
  func `one record is left or the statement refused`(form: Form, recursive: Bool) throws {
    let world = try TestWorld()
    try world.importGame("one", title: "Old")
    try world.importGame("two")
    let before = try world.store.read { try $0.records(of: "Game") }
    let base = before[0].fields
    do {
      try world.foreign("PRAGMA recursive_triggers = \(recursive ? "ON" : "OFF")", form.sql)
      #expect(form.outcome != .refused)
    } catch {
      #expect(form.outcome == .refused, "\(error)")
    }
    let after = try world.store.read { try $0.records(of: "Game") }
    let pending = try world.store.syncRead { try $0.pendingEntries(of: "Game") }
    let counted = try world.store.syncRead { try $0.acknowledgedCount(of: "Game") }
    guard case .updated(let title, let games) = form.outcome else {
      #expect(after == before)
      #expect(pending.isEmpty)
      return #expect(counted == 2)
    }
    #expect(after.count == games)
    let one = try #require(after.first { $0.objectID == "one" })
    #expect(one["title"] == .string(title))
    let entry = try #require(pending.first { $0.objectID == "one" })
    #expect(pending.filter { $0.objectID == "one" }.count == 1)
    #expect(entry.kind == .update)
    #expect(entry.localID == one.localID)
    #expect(entry.base["title"] == "Old")
    #expect(entry.base == base.only(entry.changed), "\(entry.base)")

    // After folding, the row knows the server's record again.
    try world.store.sync(.full) { try $0.fold() }
    let folded = try #require(try world.store.read { try $0.record(of: "Game", objectID: "one") })
    #expect(folded.version == before[0].version)
    #expect(folded.createdAt == before[0].createdAt)
    #expect(try world.store.syncRead { try $0.acknowledgedCount(of: "Game") } == 2)
  }

  @Test(arguments: [true, false])
  func `history tells a replacement as a delete and an insert`(recursive: Bool) throws {
    let world = try TestWorld()
    let old = try world.importGame("one", title: "Old")
    let token = try world.store.read { try $0.lastToken() }
    try world.foreign(
      "PRAGMA recursive_triggers = \(recursive ? "ON" : "OFF")",
      "INSERT OR IGNORE INTO Game (objectId) VALUES ('one')",
      "REPLACE INTO Game (objectId, title) VALUES ('one', 'New')")
    let changes = try world.store.read { try $0.changes(after: token, limit: 10) }
    #expect(changes.map(\.kind) == [.delete, .insert])
    #expect(changes.first?.localIDs == old...old)
  }

  @Test func `rows that an import then changes together were not replaced`() throws {
    let world = try TestWorld(bulkUpdate: 1)
    for name in ["one", "two"] { try world.importGame(name) }
    let token = try world.store.read { try $0.lastToken() }
    // It inserts nothing, but the trigger has to note the row.
    try world.foreign("INSERT OR IGNORE INTO Game (objectId, title) VALUES ('two', 'New')")
    try world.overwrite(["one", "two"], title: "Newer")
    let changes = try world.store.read { try $0.changes(after: token, limit: 10) }
    #expect(changes.map(\.kind) == [.update])
    let ids = changes.last?.localIDs
    #expect(ids == LocalID(rawValue: 1)...LocalID(rawValue: 2))
    #expect(try world.store.syncRead { try $0.acknowledgedCount(of: "Game") } == 2)
    #expect(try world.log().isEmpty)
  }
}
