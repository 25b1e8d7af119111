// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import FerrySQLite
import FerryStore
import Foundation

extension FuzzTarget {
  private static let stored = Schema {
    Entity.everyType
    Entity("League") { Field("name", .text) }
  }

  /// Any file becomes a store, or leads to an error of stores.
  static func checkStore(_ bytes: Data) throws(BrokenLaw) {
    try FuzzFolder.use { folder throws(BrokenLaw) in try checkStore(bytes, in: folder) }
  }

  private static func checkStore(_ bytes: Data, in folder: URL) throws(BrokenLaw) {
    let file = folder.appending(path: "store.sqlite")
    guard (try? bytes.write(to: file)) != nil else { return }
    try opened { _ = try SQLiteStore(reading: file, schema: stored) }
    guard (try? Data(contentsOf: file)) == bytes else {
      throw BrokenLaw("A store that was only read differs.")
    }
    try opened {
      let store = try SQLiteStore(at: file, schema: stored)
      try opened { _ = try store.read { try $0.records(of: "Game") } }
      try opened { _ = try store.read { try $0.changes(after: .start, limit: 1000) } }
      try opened {
        _ = try store.syncRead { reader throws(StoreError) in try reader.pendingEntries(of: nil) }
      }
      try opened { try store.write { _ = try $0.insert("Game", ["title": "New"]) } }
      try opened {
        try store.sync(.full) { transaction throws(StoreError) in try transaction.fold() }
      }
      try opened { _ = try store.clone() }
      try opened { _ = try store.overlaid() }
    }
  }

  private static func opened(_ body: () throws -> Void) throws(BrokenLaw) {
    do {
      try body()
    } catch let error as BrokenLaw {
      throw error
    } catch {
      try law(error is StoreError, "A file leads to the error \(error)")
    }
  }
}
