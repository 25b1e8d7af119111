// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerrySQLite
import FerryStore
import FerryTestSupport
import Foundation
import Testing

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
}
