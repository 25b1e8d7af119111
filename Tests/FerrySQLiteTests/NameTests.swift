// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryStore
import FerryTestSupport
import Testing

@testable import FerryPlanning
@testable import FerrySQLite

/// Every name stays a name, every id an id, and every value a value.
@Suite(.timeLimit(.minutes(1)))
struct NameTests {
  static let awkward = [
    "Order", "two words", "quote\"d", "it's", "semi;colon", "] -- ", "naïve", "日本", "a.b",
    "\"; DROP TABLE Victim; --", "accented \"\u{301} '\u{301} `\u{301}",
  ]

  // Validation refuses a schema with such names; quoting does not depend on that.
  @Test(arguments: awkward)
  func `tables and columns may have any name`(name: String) throws {
    let world = try TestWorld()
    let schema = Schema([
      Entity(
        "Odd", table: name,
        fields: [
          Field("title", .text, column: name, default: "it's \"new\"; --"),
          Field("select", .integer, default: -3),
          Field("group", .bytes, default: .bytes([0, 255])),
        ])
    ])
    let layout = try world.store.writer.withConnection { connection throws(StoreError) in
      try connection.execute("BEGIN IMMEDIATE")
      var installation = SchemaInstallation(connection: connection)
      let layout = try installation.install(schema, makingIndexes: true)
      try connection.execute("COMMIT")
      return layout
    }
    let table = SQLText.name(name)
    try world.foreign(
      "INSERT INTO \(table) (localId) VALUES (1)",
      "UPDATE \(table) SET \(table) = 'x', \"group\" = NULL", "DELETE FROM \(table)",
      "INSERT INTO Game (title) VALUES ('still there')")
    let log = try world.store.readers.withConnection { connection throws(StoreError) in
      try connection.execute("BEGIN")
      defer { try? connection.execute("ROLLBACK") }
      return try SQLiteReader(layout: layout, connection: connection).log(after: .start)
    }
    #expect(log.count == 3)
    let old: Fields = ["title": "it's \"new\"; --", "group": .bytes([0, 255])]
    #expect(log[1].kind == .update(old: old))
    #expect(try world.store.read { try $0.count(of: "Game") } == 1)
  }

  static let hostile = [
    "'; DROP TABLE Game; --", "\" OR 1=1 --", "') OR ('1'='1", "x' UNION SELECT 1,2 --", "%", "_",
    "?1", ":id", "\u{202E}txt", String(repeating: "é", count: 5000), "..", "/", "-rf", "NULL",
  ]

  @Test(arguments: hostile)
  func `ids and values are only bound`(text: String) throws {
    let world = try TestWorld()
    try world.importGame("kept")
    let localID = try world.importGame(text, title: text)
    try world.store.sync(.full) { db throws in
      try db.quarantine(
        QuarantinedRecord(
          className: text, objectID: text, version: nil, raw: text, reason: text,
          schemaFingerprint: text))
      try db.setBookkeeping(text, to: text)
      try db.remember(localID, objectID: text, of: text)
      var entry = OutboxEntry(
        className: "Game", localID: localID, objectID: text, kind: .update, foldedThrough: .start)
      entry.clientKey = text
      entry.base = ["title": .string(text)]
      try db.put(entry)
    }
    try world.store.syncRead { db throws in
      #expect(try db.record(of: "Game", objectID: text)?.localID == localID)
      #expect(try db.versions(of: "Game", objectIDs: [text, "kept"]).count == 2)
      #expect(try db.quarantined(text, objectIDs: [text]).first?.raw == text)
      #expect(try db.bookkeeping(text) == text)
      #expect(
        try db.outboxEntries(of: "Game", clientKeys: [text]).first?.base["title"] == .string(text))
      #expect(try db.outboxEntries(of: "Game", objectIDs: [text]).count == 1)
      let games = try db.records(
        of: "Game",
        where: .field("title", .equal, .string(text)) && .field("objectId", .equal, .string(text)))
      #expect(games.map(\.localID) == [localID])
    }
    try world.store.write { try $0.setToken(HistoryToken(rawValue: 1), ofReader: text) }
    #expect(try world.store.read { try $0.token(ofReader: text) }.rawValue == 1)
    expectStoreError(.unknownClass) { try world.store.read { try $0.records(of: text) } }
    expectStoreError(.unknownField) {
      try world.store.read { try $0.records(of: "Game", where: .isNull(text)) }
    }
    expectStoreError(.unknownField) {
      try world.store.read { try $0.records(of: "Game", orderedBy: .ascending(text)) }
    }
    #expect(try world.store.read { try $0.count(of: "Game") } == 2)
  }
}
