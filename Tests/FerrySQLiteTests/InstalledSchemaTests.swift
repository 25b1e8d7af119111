// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryStore
import FerryTestSupport
import Foundation
import Synchronization
import Testing

@testable import FerrySQLite

/// An opening of a database that has the schema already.
@Suite(.timeLimit(.minutes(1)))
struct InstalledSchemaTests {
  /// SQLite's count of the commits that another connection has seen.
  private func commits(_ world: TestWorld, during body: () throws -> Void) throws -> Bool {
    let observer = try SQLiteConnection(path: world.url.path(percentEncoded: false), for: .reading)
    func version() throws -> Int64 {
      try observer.statement("PRAGMA data_version").first { $0.integer(0) } ?? 0
    }
    let before = try version()
    try body()
    return try version() != before
  }

  private func layout(_ world: TestWorld, of schema: Schema) throws -> SchemaLayout? {
    let connection = try SQLiteConnection(
      path: world.url.path(percentEncoded: false), for: .reading)
    return try InstalledSchema(connection: connection).layout(of: schema)
  }

  @Test func `an opening with the schema that was installed last writes nothing`() throws {
    let world = try TestWorld()
    #expect(try !commits(world) { _ = try world.reopened() })
    let known = try world.store.layout.withLock { $0 }.table("Game")
    let read = try #require(try layout(world, of: TestWorld.schema)).table("Game")
    #expect(read.classNumber == known.classNumber && read.positions == known.positions)
    #expect(read.captured.map(\.defaultText) == known.captured.map(\.defaultText))
  }

  @Test func `a sync looks at the columns only after another program changed the tables`() throws {
    let world = try TestWorld()
    func looks() throws -> Bool {
      try world.store.prepareForSync()
      return try world.store.readers.withConnection { connection in
        connection.preparedTexts.contains { $0.contains("table_info") }
      }
    }
    #expect(try !looks())
    try world.foreign("CREATE INDEX own ON Game (title)")
    #expect(try looks())
  }

  @Test(arguments: [
    "DROP TRIGGER ferry_update_1", "DROP TRIGGER ferry_bookkeeping_guard_insert",
    "CREATE INDEX own ON Game (title)", "ALTER TABLE Game ADD COLUMN own TEXT",
  ])
  func `an opening after another program changed the tables installs again`(change: String) throws {
    let world = try TestWorld()
    try world.foreign(change)
    #expect(try layout(world, of: TestWorld.schema) == nil)
    _ = try world.reopened()
    #expect(try layout(world, of: TestWorld.schema) != nil)
    #expect(
      try world.foreign("SELECT count(*) FROM sqlite_schema WHERE name = 'ferry_update_1'")
        == [["1"]])
  }

  @Test func `an opening with another schema installs it`() throws {
    let world = try TestWorld()
    let wide = Schema(
      TestWorld.schema.entities.map { entity in
        Entity(entity.name, fields: entity.fields + [Field("added", .text)])
      })
    #expect(try layout(world, of: wide) == nil)
    _ = try SQLiteStore(at: world.url, schema: wide)
    #expect(try layout(world, of: wide) != nil)
    #expect(try layout(world, of: TestWorld.schema) == nil)
  }
}
