// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import FerryStore
import FerryTestSupport
import Foundation
import Testing

@testable import FerrySQLite

/// A column that another program renames while the store is open.
struct RenamedColumnTests {
  /// SQLite takes a name in double quotes for a text where no column has it.
  @Test func `its name is not taken for the value of each row`() throws {
    let folder = try TemporaryDirectory()
    let file = folder.url.appending(path: "store.sqlite")
    let store = try SQLiteStore(at: file, schema: Sports.schema)
    try store.write { _ = try $0.insert("Game", ["title": "Final"]) }
    let program = ForeignProgram(path: file.path(percentEncoded: false))
    _ = try program.run(["ALTER TABLE Game RENAME COLUMN title TO heading"])
    let error = #expect(throws: StoreError.self) {
      try store.read { try $0.records(of: "Game") }
    }
    #expect(error?.message.contains("title") == true)
    #expect(throws: StoreError.self) {
      try store.read { try $0.records(of: "Game", where: .field("title", .equal, "Final")) }
    }
  }

  /// A program with fewer fields opens the store in between, and makes the triggers again.
  @Test(arguments: ["heading", "the \"heading\", OLD.x", "é)"], [false, true])
  func `a renamed column is made again with its values`(name: String, isNarrowBetween: Bool) throws
  {
    let wide = SchemaChangeTests.game(
      Field("score", .integer), Field("title", .text, default: "none"), Field("note", .text))
    let world = try TestWorld(schema: wide)
    let game = try world.store.write { try $0.insert("Game", ["title": "Final", "note": "b"]) }
    try world.store.sync(.full) { try $0.fold() }
    try world.foreign(
      "ALTER TABLE Game RENAME COLUMN title TO \"\(name.replacing("\"", with: "\"\""))\"")
    if isNarrowBetween {
      _ = try world.reopened(schema: SchemaChangeTests.game(Field("note", .text)))
    }
    let store = try world.reopened(schema: wide)
    #expect(
      try store.read { try $0.record(of: "Game", localID: game.localID) }?.fields
        == ["title": "Final", "note": "b"])
    let entry = try store.syncRead { try $0.pendingEntries(of: "Game") }.first
    #expect(entry?.kind == .create)
    #expect(entry?.changed == ["title", "note"])
    try store.write { try $0.update("Game", game.localID, ["title": "Semi-final"]) }
    let log = try store.syncRead { try $0.log(after: .start) }
    #expect(log.last?.kind == .update(old: ["title": "Final"]))
    let other = try store.write { try $0.insert("Game", [:]) }
    #expect(
      try store.read { try $0.record(of: "Game", localID: other.localID) }?["title"] == "none")
  }

  @Test func `a column of its former name and of another type keeps the store closed`() throws {
    let schema = SchemaChangeTests.game(Field("title", .text), Field("score", .integer))
    let world = try TestWorld(schema: schema)
    let game = try world.store.write { try $0.insert("Game", ["title": "Final"]) }
    try world.foreign("ALTER TABLE Game RENAME COLUMN title TO heading")
    try world.foreign("ALTER TABLE Game ADD COLUMN title INTEGER")
    let error = #expect(throws: StoreError.self) { try world.store.prepareForSync() }
    #expect(error?.code == .invalidSchema && error?.message.contains("heading") == true)
    #expect(throws: StoreError.self) { try world.reopened(schema: schema) }
    try world.foreign("ALTER TABLE Game RENAME COLUMN title TO number")
    try world.foreign("ALTER TABLE Game RENAME COLUMN heading TO title")
    let store = try world.reopened(schema: schema)
    #expect(
      try store.read { try $0.record(of: "Game", localID: game.localID) }?["title"] == "Final")
  }

  /// To SQLite, the name is the same still.
  @Test func `a name in other letters is the name of the column`() throws {
    let schema = SchemaChangeTests.game(Field("title", .text), Field("score", .integer))
    let world = try TestWorld(schema: schema)
    let game = try world.store.write { try $0.insert("Game", ["title": "Final"]) }
    try world.foreign("ALTER TABLE Game RENAME COLUMN title TO Title")
    try world.store.prepareForSync()
    let store = try world.reopened(schema: schema)
    #expect(
      try store.read { try $0.record(of: "Game", localID: game.localID) }?["title"] == "Final")
    try store.write { try $0.update("Game", game.localID, ["title": "Semi-final"]) }
    #expect(
      try store.syncRead { try $0.log(after: .start) }.last?.kind
        == .update(old: ["title": "Final"]))
  }

  @Test func `the next sync makes a column again that was renamed while the store was open`() throws
  {
    let schema = SchemaChangeTests.game(Field("title", .text), Field("score", .integer))
    let world = try TestWorld(schema: schema)
    let store = world.store
    let game = try store.write { try $0.insert("Game", ["title": "Final"]) }
    try store.prepareForSync()
    try world.foreign("ALTER TABLE Game RENAME COLUMN title TO heading")
    try world.foreign("UPDATE Game SET heading = 'Semi-final'")
    #expect(throws: StoreError.self) { try store.read { try $0.records(of: "Game") } }
    try store.prepareForSync()
    #expect(try store.read { try $0.records(of: "Game") }.first?["title"] == "Semi-final")
    try store.write { try $0.update("Game", game.localID, ["title": "Last"]) }
    let last = try store.syncRead { try $0.log(after: .start) }.last
    #expect(last?.kind == .update(old: ["title": "Semi-final"]))
  }
}
