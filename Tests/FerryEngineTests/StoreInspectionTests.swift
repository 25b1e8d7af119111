// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import FerryStore
import FerryTestSupport
import Foundation
import Testing

@testable import FerryPlanning

/// An inspection of a store with classes that the schema leaves out.
@Suite(.timeLimit(.minutes(1)))
struct StoreInspectionTests {
  private let folder: TemporaryDirectory
  private var url: URL { folder.url.appending(path: "store.sqlite") }

  init() throws { folder = try TemporaryDirectory() }

  @Test func `of a class that is left out, the changes that are still unsent count`() throws {
    let whole = try SQLiteStore(at: url, schema: Sports.schema)
    let games = try whole.write { db in
      try (1...3).map { try db.insert("Game", ["title": "\($0)"]) }
    }
    try whole.sync(.full) { try $0.fold() }
    try whole.sync(.full) { transaction in
      let entries = try transaction.outboxEntries(
        of: "Game", localIDs: games.map(\.localID))
      var sent = try #require(entries.first)
      sent.enter(.confirming)
      try transaction.put(sent)
    }
    let narrow = try SQLiteStore(
      at: url, schema: Schema(Sports.schema.entities.filter { $0.name == "League" }))
    let count = { try narrow.inspect { try $0.unsentCountsOfUnregisteredClasses() } }
    #expect(try count() == ["Game": 2], "a change that the server has is not unsent")
    // The app edits a row without an entry, and one that has one.
    try whole.write { try $0.insert("Game", ["title": "late"]) }
    try whole.write { try $0.update(games[2], ["title": "edited"]) }
    #expect(try count() == ["Game": 3])
  }

  @Test(arguments: [false, true])
  func `of a field that is left out, the rows with unsent edits count`(isFolded: Bool) throws {
    let field = { (name: String) in Field(name, .text, default: name == "note" ? "n" : .null) }
    let wide = Schema {
      Entity("Game") {
        field("title"); field("score"); field("note")
      }
    }
    let whole = try SQLiteStore(at: url, schema: wide)
    let games = try whole.write { db in
      try (1...5).map { try db.insert("Game", ["title": "\($0)", "score": "1"]) }
    }
    try whole.sync(.full) { transaction in
      try transaction.fold()
      for game in games {
        try transaction.removeOutboxEntry(of: "Game", localID: game.localID)
      }
    }
    let narrow = try SQLiteStore(at: url, schema: Schema { Entity("Game") { field("title") } })
    let waiting = { try narrow.syncRead { try $0.remaining()["Game"]?.waiting ?? 0 } }
    #expect(try waiting() == 0)
    try whole.write { db in
      try db.update(games[0], ["score": "2"])
      try db.update(games[0], ["score": "3"])
      try db.update(games[1], ["score": "2", "title": "b"])
      // The app takes an edit back, and deletes a row.
      try db.update(games[2], ["score": "2"])
      try db.update(games[2], ["score": "1"])
      try db.update(games[3], ["score": "2"])
      try db.delete(games[3])
      _ = try db.insert("Game", ["title": "new", "note": "n"])
      _ = try db.insert("Game", ["title": "new", "note": "other"])
      // A row with edits of two such fields counts for each, and once among the rows.
      try db.update(games[1], ["note": "p"])
    }
    if isFolded {
      for _ in 1...2 { try narrow.sync(.full) { try $0.fold() } }
    }
    #expect(try waiting() == 3)
    let counts = try narrow.inspect { try $0.unsentCountsOfUndeclaredFields() }
    #expect(counts == ["Game": ["score": 2, "note": 2]])
    #expect(try narrow.inspect { try $0.unsentRowCountsOfUndeclaredFields() } == ["Game": 3])
    #expect(try narrow.inspect { try $0.unsentCountsOfUnregisteredClasses() }.isEmpty)
    try whole.write { try $0.update(games[4], ["score": nil]) }
    #expect(try waiting() == 4)
    #expect(try whole.syncRead { try $0.remaining() }.isEmpty)
    try whole.sync(.full) { try $0.fold() }
    #expect(try waiting() == 0)
  }

  @Test func `an edit in the outbox waits in the log while its field is left out`() throws {
    let wide = Schema {
      Entity("Game") {
        Field("title", .text); Field("score", .text)
      }
    }
    let narrow = Schema { Entity("Game") { Field("title", .text) } }
    let before = try SQLiteStore(at: url, schema: wide)
    let row = ImportRow(
      objectID: "one", createdAt: Timestamp(milliseconds: 0), version: nil, acl: .null,
      values: ["a", "1"])
    _ = try before.sync(.normal) { try $0.apply([row], to: "Game") }
    let game = try #require(try before.read { try $0.records(of: "Game") }.first)
    try before.write { try $0.update(game.reference, ["score": "2"]) }
    try before.sync(.full) { try $0.fold() }
    try before.write { try $0.update(game.reference, ["score": "3"]) }
    for store in [
      try SQLiteStore(reading: url, schema: narrow), try SQLiteStore(at: url, schema: narrow),
    ] {
      let (counts, pending) = try store.inspect {
        (try $0.unsentCountsOfUndeclaredFields(), try $0.pendingChanges())
      }
      #expect(counts == ["Game": ["score": 1]])
      #expect(pending.isEmpty)
    }
    let after = try SQLiteStore(at: url, schema: wide)
    try after.sync(.full) { try $0.fold() }
    let entry = try #require(try after.syncRead { try $0.outbox(of: nil) }.first)
    #expect(entry.changed == ["score"])
    #expect(entry.base == ["score": "1"])
  }

  @Test func `a class that is left out without unsent changes is not named`() throws {
    _ = try SQLiteStore(at: url, schema: Sports.schema)
    let narrow = try SQLiteStore(
      at: url, schema: Schema(Sports.schema.entities.filter { $0.name == "League" }))
    #expect(try narrow.inspect { try $0.unsentCountsOfUnregisteredClasses() }.isEmpty)
  }
}
