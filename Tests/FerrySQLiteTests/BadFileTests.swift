// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import FerryStore
import FerryTestSupport
import Foundation
import Randomness
import Testing

@testable import FerrySQLite

/// Any file leads to a typed error or a working store, never to a trap.
@Suite(.timeLimit(.minutes(3)))
struct BadFileTests {
  /// A store's file without a log beside it, with some content.
  static func soundFile() throws -> Data {
    let world = try TestWorld()
    for number in 0..<40 { try world.importGame("object\(number)", title: "Game \(number)") }
    try world.foreign("UPDATE Game SET title = title || '!' WHERE localId % 3 = 0")
    try world.store.sync(.full) { try $0.fold() }
    try world.foreign("PRAGMA wal_checkpoint(TRUNCATE)")
    return try Data(contentsOf: world.url)
  }

  /// Opens a file and uses most functions of the store; returns the errors.
  static func exercise(_ data: Data) throws -> [any Error] {
    let folder = try TemporaryFolder()
    let url = folder.url.appending(path: "games.sqlite")
    try data.write(to: url)
    var errors: [any Error] = []
    func attempt(_ body: () throws -> Void) {
      do { try body() } catch { errors.append(error) }
    }
    attempt {
      let store = try SQLiteStore(at: url, schema: TestWorld.schema)
      attempt { _ = try store.read { try $0.records(of: "Game") } }
      attempt { _ = try store.read { try $0.changes(after: .start, limit: 1000) } }
      attempt { _ = try store.syncRead { try $0.pendingEntries(of: nil) } }
      attempt { try store.write { _ = try $0.insert("Game", ["title": "New"]) } }
      attempt { try store.sync(.full) { try $0.fold() } }
      attempt { _ = try store.clone() }
      attempt { _ = try store.overlaid().read { try $0.records(of: "Game") } }
    }
    return errors
  }

  @Test
  func `a store whose file was moved or replaced writes no more, and goes on when it is back`()
    throws
  {
    let world = try TestWorld()
    let aside = world.url.appendingPathExtension("aside")
    try world.importGame("first")
    try FileManager.default.moveItem(at: world.url, to: aside)
    for replaces in [false, true] {
      if replaces { try FileManager.default.copyItem(at: aside, to: world.url) }
      expectStoreError(.notAccessible) { try world.store.write { try $0.insert("Game", [:]) } }
      expectStoreError(.notAccessible) { try world.store.sync(.full) { try $0.fold() } }
    }
    try FileManager.default.removeItem(at: world.url)
    try FileManager.default.moveItem(at: aside, to: world.url)
    try world.store.write { _ = try $0.insert("Game", [:]) }
    #expect(try world.store.read { try $0.count(of: "Game") } == 2)
  }

  @Test func `a text file is not a store and stays as it is`() throws {
    let folder = try TemporaryFolder()
    let url = folder.url.appending(path: "games.sqlite")
    let text = Data(String(repeating: "Dear diary, today I synced nothing.\n", count: 200).utf8)
    try text.write(to: url)
    expectStoreError(.damaged) { try SQLiteStore(at: url, schema: TestWorld.schema) }
    #expect(try Data(contentsOf: url) == text)
  }

  @Test(arguments: [false, true])
  func `a file that is only read stays as it is, byte for byte`(_ isStore: Bool) throws {
    let world = try TestWorld()
    if isStore { try world.importGame("one") }
    let folder = try TemporaryFolder()
    let url = folder.url.appending(path: "games.sqlite")
    if isStore {
      // The copy has the other journal mode.
      try world.foreign("VACUUM INTO '\(url.path(percentEncoded: false))'")
    } else {
      try Data().write(to: url)
    }
    let before = try Data(contentsOf: url)
    let store = try SQLiteStore(reading: url, schema: TestWorld.schema)
    #expect(try store.read { try $0.count(of: "Game") } == (isStore ? 1 : 0))
    #expect(try Data(contentsOf: url) == before)
  }

  @Test func `an empty file becomes a store`() throws { #expect(try Self.exercise(Data()).isEmpty) }

  @Test func `a sound file gives no errors`() throws {
    #expect(try Self.exercise(Self.soundFile()).isEmpty)
  }

  @Test func `a file cut short gives typed errors`() throws {
    let sound = try Self.soundFile()
    var damaged = 0
    for part in 1..<20 {
      let errors = try Self.exercise(sound.prefix(sound.count * part / 20))
      #expect(errors.allSatisfy { $0 is StoreError }, "\(errors)")
      damaged += errors.count { ($0 as? StoreError)?.code == .damaged }
    }
    #expect(damaged > 0)
  }

  @Test func `flipped bytes give typed errors`() throws {
    let sound = try Self.soundFile()
    var generator = SeededGenerator(seed: 20_260_301)
    for _ in 0..<120 {
      var data = sound
      for _ in 0..<Int.random(in: 1...40, using: &generator) {
        data[Int.random(in: 0..<data.count, using: &generator)] = .random(
          in: 0...255, using: &generator)
      }
      let errors = try Self.exercise(data)
      #expect(errors.allSatisfy { $0 is StoreError }, "\(errors)")
    }
  }

  /// An entry says what to send to which record.
  @Test(arguments: [#""localID":1"#, #""objectID":"one""#, "Final", #""title"]"#, #""update""#])
  func `an entry of the outbox with another content is damaged`(part: String) throws {
    let world = try TestWorld()
    try world.importGame("one")
    try world.foreign("UPDATE Game SET title = 'Edited'")
    try world.store.sync(.full) { try $0.fold() }
    let other = part.replacing("1", with: "2").replacing("one", with: "two")
      .replacing("Final", with: "Fatal").replacing("title", with: "score").replacing(
        "update", with: "delete")
    // As a disk would, and not as a program: no trigger of the store is there.
    try world.foreign(
      "DROP TRIGGER ferry_outbox_guard_update",
      "UPDATE ferry_outbox SET entry = replace(entry, '\(part)', '\(other)')")
    #expect(try world.foreign("SELECT instr(entry, '\(other)') > 0 FROM ferry_outbox") == [["1"]])
    expectStoreError(.damaged) { try world.store.syncRead { try $0.pendingEntries(of: nil) } }
  }

  /// A page of entries begins behind the last key before; a wrong key let the pages come without an end.
  @Test(
    .timeLimit(.minutes(1)),
    arguments: ["class = 'Z'", "localId = 99", "objectId = 'two'", "clientKey = 'key'"])
  func `an entry of the outbox under another key is damaged`(change: String) throws {
    let world = try TestWorld()
    try world.importGame("one")
    try world.foreign("UPDATE Game SET title = 'Edited'")
    try world.store.sync(.full) { try $0.fold() }
    try world.foreign(
      "DROP TRIGGER ferry_outbox_guard_update", "UPDATE ferry_outbox SET \(change)")
    expectStoreError(.damaged) {
      try world.store.syncRead { reader in
        var count = 0
        try reader.forEachOutboxEntry { _ throws(StoreError) in
          count += 1
          if count > 10 { throw StoreError(.database, "The same entry comes again and again.") }
        }
      }
    }
  }

  @Test func `a full disk loses nothing`() throws {
    let world = try TestWorld()
    try world.importGame("one")
    let before = try world.store.read { try $0.records(of: "Game") }
    try world.store.writer.withConnection { connection throws(StoreError) in
      let pages = try connection.statement("PRAGMA page_count").first { $0.integer(0) } ?? 0
      try connection.execute("PRAGMA max_page_count = \(pages + 2)")
    }
    let long = String(repeating: "x", count: 100_000)
    expectStoreError(.diskFull) {
      try world.store.write { _ = try $0.insert("Game", ["title": .string(long)]) }
    }
    #expect(try world.store.read { try $0.records(of: "Game") } == before)
    try world.store.writer.withConnection { connection throws(StoreError) in
      try connection.execute("PRAGMA max_page_count = 1000000")
    }
    try world.store.write { _ = try $0.insert("Game", ["title": .string(long)]) }
    #expect(try world.store.read { try $0.count(of: "Game") } == 2)
  }

  @Test func `another writer that does not finish is busy`() throws {
    let world = try TestWorld()
    let other = try SQLiteConnection(path: world.store.files.database, for: .writing)
    try other.execute("BEGIN IMMEDIATE")
    try world.store.writer.withConnection { connection throws(StoreError) in
      try connection.execute("PRAGMA busy_timeout = 50")
    }
    expectStoreError(.busy) { try world.store.write { _ = try $0.insert("Game", [:]) } }
    try other.execute("ROLLBACK")
    try world.store.write { _ = try $0.insert("Game", [:]) }
  }
}
