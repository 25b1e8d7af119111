// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryStore
import FerryTestSupport
import Foundation
import Testing

@testable import FerrySQLite

@Suite struct OverlayTests {
  private let world: TestWorld

  init() throws {
    world = try TestWorld()
    try world.store.write { transaction in
      for number in 0..<3000 {
        try transaction.insert("Game", ["title": .string("Game \(number)")])
      }
    }
  }

  private func titles(_ store: any Store) throws -> Set<String> {
    Set(try store.read { try $0.records(of: "Game") }.map { "\($0["title"])" })
  }

  @Test(arguments: [false, true])
  func `it shows the moment of its beginning, whatever becomes of the original`(
    isInLog: Bool
  ) throws {
    if !isInLog { try world.foreign("PRAGMA wal_checkpoint(TRUNCATE)") }
    let before = try titles(world.store)
    let overlay = try world.store.overlaid()
    try world.store.write { transaction in
      for row in try transaction.records(of: "Game") {
        try transaction.update("Game", row.localID, ["title": "Edited"])
      }
    }
    try world.foreign("DELETE FROM Game WHERE title = 'Edited'", "VACUUM")
    try world.foreign("PRAGMA wal_checkpoint(PASSIVE)")
    try world.store.write { transaction in
      for _ in 0..<500 { try transaction.insert("Game", ["title": "New"]) }
    }
    #expect(try titles(overlay) == before)
    #expect(try titles(world.store) == ["\(Value.string("New"))"])
  }

  @Test func `it keeps its changes apart, also those that leave its own log`() throws {
    let overlay = try #require(try world.store.overlaid() as? SQLiteStore)
    let before = try titles(world.store)
    let text = String(repeating: "long", count: 2000)
    try overlay.write { transaction in
      for row in try transaction.records(of: "Game") {
        try transaction.update("Game", row.localID, ["title": .string("\(text)\(row.localID)")])
      }
    }
    try overlay.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    #expect(try titles(overlay).count == 3000)
    try overlay.write { transaction in
      for row in try transaction.records(of: "Game") {
        try transaction.delete("Game", row.localID)
      }
    }
    try overlay.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    #expect(try overlay.integrity() == "ok")
    #expect(try titles(overlay) == [])
    #expect(try titles(world.store) == before)
    #expect(try world.foreign("PRAGMA integrity_check") == [["ok"]])
  }

  @Test func `it copies no page but those of the log`() throws {
    try world.foreign("PRAGMA wal_checkpoint(TRUNCATE)")
    let overlay = try #require(try world.store.overlaid() as? SQLiteStore)
    _ = try titles(overlay)
    let file = try FileManager.default.attributesOfItem(atPath: overlay.files.database)
    #expect(file[.size] as? Int == 0)
  }

  @Test func `the original's log can begin anew once it has ended`() throws {
    try world.foreign("PRAGMA wal_checkpoint(TRUNCATE)")
    let overlay = try world.store.overlaid()
    try world.store.write { _ = try $0.insert("Game", ["title": "New"]) }
    let begun = try world.foreign("PRAGMA busy_timeout = 1", "PRAGMA wal_checkpoint(TRUNCATE)")
    #expect(begun.last?.first == "1")
    overlay.discardClone()
    #expect(try world.foreign("PRAGMA wal_checkpoint(TRUNCATE)").first?.first == "0")
    expectStoreError(.notAccessible) { try overlay.read { try $0.records(of: "Game") } }
  }

  @Test func `it is whole beside a program that writes, and cuts the log each time`() async throws {
    let commit = """
      BEGIN; INSERT INTO League (name) VALUES ('one'); INSERT INTO Game (title) VALUES ('one'); COMMIT;
      PRAGMA wal_checkpoint(TRUNCATE)
      """
    let program = ForeignProgram(path: world.url.path(percentEncoded: false))
    let writer = Task.detached { _ = try program.run(Array(repeating: commit, count: 400)) }
    var counts = Set<Int>()
    for _ in 0..<150 {
      let overlay = try #require(try world.store.overlaid() as? SQLiteStore)
      let (leagues, games) = try await overlay.read {
        (try $0.count(of: "League"), try $0.count(of: "Game"))
      }
      #expect(games == 3000 + leagues)
      counts.insert(leagues)
      overlay.discardClone()
    }
    try await writer.value
    #expect(counts.count > 1)
  }

  @Test func `an original with a rollback journal is copied`() throws {
    let folder = try TemporaryFolder()
    let url = folder.url.appending(path: "games.sqlite")
    _ = try SQLiteStore(at: url, schema: TestWorld.schema).write {
      try $0.insert("Game", ["title": "Final"])
    }
    let program = ForeignProgram(path: url.path(percentEncoded: false))
    _ = try program.run(["PRAGMA journal_mode = DELETE"])
    let reader = try SQLiteStore(reading: url, schema: TestWorld.schema)
    let copy = try #require(try reader.overlaid() as? SQLiteStore)
    #expect(copy.overlay == nil)
    #expect(try titles(copy) == ["\(Value.string("Final"))"])
  }
}

extension SQLiteStore {
  fileprivate func execute(_ sql: String) throws {
    try writer.withConnection { connection throws(StoreError) in try connection.execute(sql) }
  }

  fileprivate func integrity() throws -> String? {
    try writer.withConnection { connection throws(StoreError) in
      try connection.statement("PRAGMA integrity_check").first { $0.text(0) }
    }
  }
}
