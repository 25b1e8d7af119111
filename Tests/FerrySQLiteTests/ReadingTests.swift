// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import FerryStore
import FerryTestSupport
import Foundation
import Randomness
import Testing

@testable import FerrySQLite

/// A store that is opened to be looked at.
@Suite(.timeLimit(.minutes(1)))
struct ReadingTests {
  private static let narrow = Schema([Entity("Game", fields: [Field("title", .text)])])
  private static let wide = Schema(
    TestWorld.schema.entities.map { entity in
      Entity(entity.name, fields: entity.fields + [Field("added", .text)])
    } + [Entity("Added", fields: [Field("name", .text)])])

  @Test(arguments: [narrow, wide, TestWorld.schema])
  func `a reader leaves the file as it is, whatever classes it knows`(schema: Schema) throws {
    let world = try TestWorld()
    try world.importGame("one")
    try world.foreign("UPDATE Game SET title = 'Edited', score = 7")
    let everything = "SELECT * FROM ferry_meta"
    let before = try world.foreign("SELECT type, name, sql FROM sqlite_schema", everything)
    let reader = try SQLiteStore(reading: world.url, schema: schema)
    #expect(try reader.read { try $0.records(of: "Game") }.first?["title"] == "Edited")
    #expect(try reader.syncRead { try $0.pendingEntries(of: nil) }.count == 1)
    for entity in schema.entities {
      #expect(try reader.read { try $0.count(of: entity.name) } == (entity.name == "Game" ? 1 : 0))
    }
    let clone = try reader.clone()
    _ = try clone.write { try $0.insert("Game", ["title": "On the copy"]) }
    #expect(try world.foreign("SELECT type, name, sql FROM sqlite_schema", everything) == before)
    #expect(try world.store.read { try $0.count(of: "Game") } == 1)
  }

  @Test func `a reader writes nothing, and takes the right to sync of its original`() throws {
    let world = try TestWorld()
    let reader = try SQLiteStore(reading: world.url, schema: Self.wide)
    let error = expectStoreError(.notAccessible) {
      try reader.write { _ = try $0.insert("Game", [:]) }
    }
    #expect(error?.message.contains("for reading only") == true)
    expectStoreError(.notAccessible) { try reader.sync(.full) { try $0.fold() } }
    let lock = try world.store.lockForSync()
    expectStoreError(.busy) { try reader.lockForSync() }
    lock.release()
  }

  @Test func `a store that is not there is not made by looking`() throws {
    let folder = try TemporaryFolder()
    let url = folder.url.appending(path: "games.sqlite")
    expectStoreError(.notAccessible) { try SQLiteStore(reading: url, schema: TestWorld.schema) }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == [])
  }

  @Test func `the same generator makes the same ids`() throws {
    func ids() throws -> [String] {
      let folder = try TemporaryFolder()
      let store = try SQLiteStore(
        at: folder.url.appending(path: "games.sqlite"), schema: TestWorld.schema,
        generator: SeededGenerator(seed: 1), now: { .earliest })
      return try store.write { transaction in
        try (0..<3).map { _ in try transaction.insert("Game", [:]).objectID }
      }
    }
    #expect(try ids() == ids())
    #expect(Set(try ids()).count == 3)
  }
}
