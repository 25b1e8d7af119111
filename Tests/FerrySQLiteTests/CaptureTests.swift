// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import FerryStore
import FerryTestSupport
import Testing

@testable import FerrySQLite

@Suite(.timeLimit(.minutes(1)))
struct CaptureTests {
  @Test func `an edit by any program is logged with what it destroyed`() throws {
    let world = try TestWorld()
    try world.foreign("INSERT INTO Game (title, score) VALUES ('Final', 3)")
    try world.foreign("UPDATE Game SET title = 'Semi-final', rating = 1.5, logo = x'00'")
    try world.foreign("UPDATE Game SET logo = NULL, isOpen = 1")
    try world.foreign("UPDATE Game SET title = 'Semi-final'")
    try world.foreign("DELETE FROM Game")
    let kinds = try world.log().map(\.kind)
    #expect(kinds.count == 4)
    #expect(kinds[0] == .insert)
    #expect(kinds[1] == .update(old: ["title": "Final", "rating": .null, "logo": .null]))
    #expect(kinds[2] == .update(old: ["logo": .bytes([0]), "isOpen": .null]))
    guard case .delete(let old) = kinds[3] else { return #expect(Bool(false), "\(kinds[3])") }
    #expect(old.fields == ["title": "Semi-final", "score": 3, "rating": 1.5, "isOpen": true])
    #expect(MintedID.matches(old.objectID))
  }

  @Test func `every type survives a round trip and the log`() throws {
    let world = try TestWorld()
    let fields: Fields = [
      "title": "Zoë 'quoted' \"twice\" 日本", "score": -7, "rating": 0.1, "isOpen": false,
      "playedAt": .date(Timestamp(milliseconds: 1_772_389_800_250)),
      "league": .pointer(Pointer(className: "League", objectID: "abc")),
      "logo": .bytes([]), "details": ["list": [1, 2.5, nil, "x"], "file": ["__type": "no"]],
    ]
    let game = try world.store.write { try $0.insert("Game", fields) }
    #expect(
      try world.store.read { try $0.record(of: "Game", localID: game.localID) }?.fields == fields)
    let cleared = Fields(fields.values.mapValues { _ in .null })
    try world.store.write { try $0.update(game, cleared) }
    #expect(
      try world.store.read { try $0.record(of: "Game", localID: game.localID) }?.fields == [:])
    #expect(try world.log().last?.kind == .update(old: fields))
    try world.store.write { try $0.update(game, fields) }
    #expect(try world.log().last?.kind == .update(old: cleared))
    try world.store.write { try $0.delete(game) }
    guard case .delete(let old)? = try world.log().last?.kind else {
      return #expect(Bool(false), "no delete was logged")
    }
    #expect(old.fields == fields)
  }

  @Test func `an import is not an edit but stands in history`() throws {
    let world = try TestWorld()
    let first = try world.importGame("one")
    try world.store.sync(.normal) {
      try $0.set(["title": "Changed"], of: "Game", localID: first)
      try $0.remove([first], from: "Game")
    }
    #expect(try world.log().isEmpty)
    let changes = try world.store.read { try $0.changes(after: .start, limit: 10) }
    #expect(changes.map(\.kind) == [.insert, .update, .delete])
    #expect(changes.map(\.author) == [.sync, .sync, .sync])
    #expect(changes[1].fields == ["title"])
    #expect(try world.importGame("one") == first, "its object id keeps its local id")
  }

  @Test func `a bulk import is one entry and leaves the triggers in place`() throws {
    let world = try TestWorld()
    let rows = (0..<2500).map { number in
      ImportRow(
        objectID: "object\(number)", createdAt: Timestamp(milliseconds: Int64(number)),
        version: nil, acl: .null,
        values: [.string("\(number)"), 1, .null, .null, .null, .null, .null, .null])
    }
    let localIDs = try world.store.sync(.normal) { try $0.apply(rows, to: "Game") }
    #expect(localIDs.count == 2500)
    let changes = try world.store.read { try $0.changes(after: .start, limit: 10) }
    #expect(changes.count == 1)
    #expect(changes.first?.localIDs == localIDs[0]...localIDs[2499])
    #expect(try world.store.syncRead { try $0.acknowledgedCount(of: "Game") } == 2500)
    try world.foreign("INSERT INTO Game (title) VALUES ('edit')")
    #expect(try world.log().map(\.kind) == [.insert])
  }

  @Test(arguments: [
    "UPDATE Game SET localId = 99", "UPDATE Game SET rowid = 99", "UPDATE Game SET _rowid_ = 99",
    "UPDATE Game SET OID = 99", "UPDATE Game SET (title, \"RowId\") = ('new', 99)",
    "UPDATE OR REPLACE Game SET localId = 2 WHERE localId = 1",
    "INSERT INTO Game (objectId) VALUES ('one') ON CONFLICT DO UPDATE SET localId = 99",
    "UPDATE Game SET objectId = 'other'", "UPDATE OR IGNORE Game SET objectId = 'two'",
    "UPDATE OR REPLACE Game SET objectId = 'two' WHERE objectId = 'one'",
    "UPDATE Game SET createdAt = NULL", "UPDATE Game SET updatedAt = 'x'",
    "INSERT INTO Game (createdAt) VALUES ('2026')",
    "INSERT INTO Game (updatedAt) VALUES ('2026')",
    "INSERT INTO Game (objectId) VALUES ('')",
  ])
  func `what the server owns is protected`(statement: String) throws {
    let world = try TestWorld()
    try world.importGame("one")
    try world.importGame("two")
    let before = try world.store.read { try $0.records(of: "Game") }
    for recursive in ["ON", "OFF"] {
      let error = #expect(throws: ForeignProgram.Failure.self) {
        try world.foreign("PRAGMA recursive_triggers = \(recursive)", statement)
      }
      #expect(error?.description.contains("Game: ") == true, "\(error?.description ?? "")")
    }
    #expect(try world.store.read { try $0.records(of: "Game") } == before)
    #expect(try world.log().isEmpty)
  }

  @Test func `a localId is never used again`() throws {
    let world = try TestWorld()
    try world.foreign("INSERT INTO Game (title) VALUES ('a')")
    try world.foreign("INSERT INTO Game (title) VALUES ('b')")
    try world.foreign("DELETE FROM Game WHERE title = 'b'")
    try world.foreign("INSERT INTO Game (title) VALUES ('c')")
    let records = try world.store.read { try $0.records(of: "Game") }
    #expect(records.map(\.localID.rawValue) == [1, 3])
    let pending = try world.store.syncRead { try $0.pendingEntries(of: "Game") }
    #expect(pending.map(\.localID.rawValue) == [1, 3])
    #expect(pending.map(\.kind) == [.create, .create])
  }
}
