// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import FerryStore
import FerryTestSupport
import Testing

@testable import FerrySQLite

/// Fields that only other programs declare: their values, and which of them are unsent.
@Suite(.timeLimit(.minutes(1)))
struct UndeclaredFieldsTests {
  private static let wide = SchemaChangeTests.game(
    Field("title", .text), Field("note", .text), Field("logo", .bytes),
    Field("league", .pointer(to: "Game")))
  private static let narrow = SchemaChangeTests.game(Field("title", .text))
  private static let league = Value.pointer(Pointer(className: "Game", objectID: "s2"))

  /// Games that the server knows, with a title, a note and a league.
  private static func importGames(_ objectIDs: [String], into world: TestWorld) throws -> [LocalID]
  {
    let rows = objectIDs.map { id in
      ImportRow(
        objectID: id, createdAt: Timestamp(milliseconds: 1_700_000_000_000),
        version: ServerVersion(rawValue: "2026-03-01T18:30:00.250Z"), acl: .null,
        values: ["a", "b", .null, league])
    }
    return try world.store.sync(.full) { try $0.apply(rows, to: "Game") }
  }

  @Test func `undeclared fields have their values, and names of unsent edits`() throws {
    let world = try TestWorld(schema: Self.wide)
    let ids = try Self.importGames(["s1", "s2"], into: world)
    let store = try world.reopened(schema: Self.narrow)
    try world.foreign("UPDATE Game SET logo = X'01', title = 'c' WHERE objectId = 's1'")
    try world.foreign("UPDATE Game SET note = NULL WHERE objectId = 's2'")
    for isFolded in [false, true] {
      if isFolded { try store.sync(.full) { try $0.fold() } }
      let found = try store.syncRead { try $0.undeclaredFields(of: "Game", localIDs: ids) }
      let values: Fields = ["note": "b", "logo": .bytes([1]), "league": Self.league]
      #expect(found[ids[0]] == UndeclaredFields(values: values, edited: ["logo"]))
      #expect(found[ids[0]]?.unsent == ["logo": .bytes([1])])
      #expect(found[ids[1]] == UndeclaredFields(values: ["league": Self.league], edited: ["note"]))
    }
  }

  @Test func `a program that declares all fields has no undeclared ones`() throws {
    let world = try TestWorld(schema: Self.wide)
    let id = try world.store.write { try $0.insert("Game", ["note": "b"]) }
    #expect(
      try world.store.syncRead { try $0.undeclaredFields(of: "Game", localIDs: [id.localID]) }
        .isEmpty)
    #expect(try world.store.syncRead { try $0.undeclaredEdits(of: "Game") }.isEmpty)
  }

  @Test func `a row comes back with its undeclared fields, and with those that it names`() throws {
    let world = try TestWorld(schema: Self.wide)
    let id = try #require(try Self.importGames(["s1"], into: world).first)
    let store = try world.reopened(schema: Self.narrow)
    try store.sync(.full) { transaction in
      var row = try #require(try transaction.record(of: "Game", localID: id))
      row.fields["note"] = "kept"
      try transaction.remove([id], from: "Game")
      try transaction.reinstate(row)
    }
    let row = try world.reopened(schema: Self.wide).read { try $0.records(of: "Game") }.first
    #expect(row?.fields == ["title": "a", "note": "kept", "league": Self.league])
    #expect(row?.localID == id)
  }

  @Test func `an edit that comes back with its row waits for the program that declares the field`()
    throws
  {
    let world = try TestWorld(schema: Self.wide)
    let id = try #require(try Self.importGames(["s1"], into: world).first)
    let row = try #require(try world.store.read { try $0.record(of: "Game", localID: id) })
    try world.store.write { store throws(StoreError) in
      try store.update("Game", id, ["note": "mine"])
      try store.delete("Game", id)
    }
    try world.store.sync(.full) { try $0.fold() }
    let narrow = try world.reopened(schema: Self.narrow)
    try narrow.sync(.full) { transaction in
      let entry = try #require(try transaction.outboxEntries(of: "Game", localIDs: [id]).first)
      var back = row
      back.fields["note"] = "mine"
      try transaction.reinstate(back)
      try transaction.put(entry.takingBackDelete())
      #expect(try transaction.outboxEntries(of: "Game", localIDs: [id]).isEmpty)
    }
    let wide = try world.reopened(schema: Self.wide)
    let entry = try #require(try wide.syncRead { try $0.pendingEntries(of: "Game") }.first)
    #expect(entry.state == .ready)
    #expect(entry.changed == ["note"])
    #expect(entry.base == ["note": "b"])
    #expect(try wide.read { try $0.record(of: "Game", localID: id) }?["note"] == "mine")
  }

  @Test(arguments: [false, true])
  func `a create that the app took back leaves no edit of an undeclared field`(
    isFolded: Bool
  ) throws {
    let world = try TestWorld(schema: Self.wide)
    let game = try world.store.write { try $0.insert("Game", ["title": "a", "note": "b"]) }
    try world.store.sync(.full) { try $0.fold() }
    try world.store.write { try $0.delete("Game", game.localID) }
    let narrow = try world.reopened(schema: Self.narrow)
    if isFolded { try narrow.sync(.full) { try $0.fold() } }
    let declaring = try world.reopened(schema: Self.wide)
    try declaring.sync(.full) { try $0.fold() }
    #expect(try declaring.syncRead { try $0.outbox(of: nil) }.isEmpty)
  }

  @Test(arguments: [false, true])
  func `a default in place of a field that an insert left out is no edit`(isNew: Bool) throws {
    let scored = SchemaChangeTests.game(
      Field("title", .text), Field("score", .integer, default: .integer(0)))
    let world = try TestWorld(schema: scored)
    let rows = (isNew ? ["s2"] : ["s1", "s2"]).map { id in
      ImportRow(
        objectID: id, createdAt: Timestamp(milliseconds: 1_700_000_000_000),
        version: ServerVersion(rawValue: "2026-03-01T18:30:00.250Z"), acl: .null,
        values: ["a", .integer(5)])
    }
    try world.store.sync(.full) { try $0.apply(rows, to: "Game") }
    let narrow = try world.reopened(schema: Self.narrow)
    try world.foreign("REPLACE INTO Game (objectId, title) VALUES ('s1', 'b')")
    try world.foreign("UPDATE Game SET score = 70 WHERE objectId = 's2'")
    try narrow.sync(.full) { transaction in
      try transaction.fold()
      // The server acknowledges all that this program can send.
      for entry in try transaction.outboxEntries(of: "Game", objectIDs: ["s1"]) {
        let row = try #require(try transaction.record(of: "Game", objectID: "s1"))
        try transaction.apply(
          [
            ImportRow(
              localID: row.localID, objectID: "s1", createdAt: Timestamp(milliseconds: 1),
              version: ServerVersion(rawValue: "2026-03-02T18:30:00.250Z"), acl: .null,
              values: ["b"])
          ], to: "Game")
        try transaction.removeOutboxEntry(of: "Game", localID: entry.localID)
      }
    }
    let wide = try world.reopened(schema: scored)
    try wide.sync(.full) { try $0.fold() }
    let entries = try wide.syncRead { try $0.outbox(of: "Game") }
    #expect(entries.map(\.objectID) == ["s2"])
    #expect(entries.first?.changed == ["score"])
  }

  @Test func `a row has the edits since it took its local id, and none of the record before it`()
    throws
  {
    let world = try TestWorld(schema: Self.wide)
    _ = try Self.importGames(["s1", "s2"], into: world)
    _ = try world.reopened(schema: Self.narrow)
    try world.foreign("UPDATE Game SET note = 'mine' WHERE objectId = 's1'")
    try world.foreign("DELETE FROM Game WHERE objectId = 's1'")
    try world.foreign("UPDATE Game SET note = 'mine' WHERE objectId = 's2'")
    try world.foreign(
      "REPLACE INTO Game (localId, objectId, title, note) SELECT 1, objectId, title, 'b' FROM Game")
    try world.foreign("REPLACE INTO Game (localId, objectId, title) VALUES (9, 's1', 'a')")
    try world.foreign("INSERT INTO Game (localId, objectId, title) VALUES (2, 's3', 'a')")
    let narrow = try world.reopened(schema: Self.narrow)
    #expect(
      try narrow.syncRead { try $0.undeclaredEdits(of: "Game") } == [LocalID(rawValue: 1): ["note"]]
    )
  }

  @Test(arguments: [false, true])
  func `a cleared field stays an unsent edit where the row was inserted again since`(
    isFolded: Bool
  ) throws {
    let world = try TestWorld(schema: Self.wide)
    let id = try #require(try Self.importGames(["s1"], into: world).first)
    try world.store.write { try $0.update("Game", id, ["note": .null]) }
    try world.store.sync(.full) { try $0.fold() }
    try world.foreign("CREATE TABLE kept AS SELECT * FROM Game")
    try world.foreign("DELETE FROM Game")
    try world.foreign(
      "INSERT INTO Game (localId, objectId, title, note, league) SELECT 7, objectId, title, note,"
        + " league FROM kept")
    let narrow = try world.reopened(schema: Self.narrow)
    if isFolded { try narrow.sync(.full) { try $0.fold() } }
    let inserted = LocalID(rawValue: 7)
    let edits = try narrow.syncRead { try $0.undeclaredEdits(of: "Game") }
    #expect(edits[inserted]?.contains("note") == true)
    let wide = try world.reopened(schema: Self.wide)
    try wide.sync(.full) { try $0.fold() }
    let entry = try #require(try wide.syncRead { try $0.pendingEntries(of: "Game") }.first)
    #expect(entry.localID == inserted)
    #expect(entry.changed == ["note"])
    #expect(entry.base["note"] == "b")
  }
}
