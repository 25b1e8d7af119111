// Ferry: offline-first sync for Parse Server. MIT licence.

import CSQLite
package import FerryStore
import Foundation

extension SQLiteStore {
  /// Copies the database page by page from one consistent view, while others read and write.
  ///
  /// This uses SQLite's backup interface. Reading the file directly would release the locks that
  /// this process has on it.
  package func clone() throws -> any SyncStore {
    let folder = try TemporaryFolder()
    let copy = folder.url.appending(path: "clone.sqlite")
    let copyFiles = try StoreFiles(at: copy)
    try readers.withConnection { source in
      let target = try SQLiteConnection(path: copyFiles.database, for: .copying)
      guard let backup = sqlite3_backup_init(target.handle, "main", source.handle, "main") else {
        throw SQLiteError(.cannotOpen, on: target.handle).storeError
      }
      // It copies all pages at once; a copy in parts would start again after every commit in
      // between.
      let step = SQLiteResultCode(rawValue: sqlite3_backup_step(backup, -1))
      let end = SQLiteResultCode(rawValue: sqlite3_backup_finish(backup))
      guard step == .done, end == .ok else {
        throw SQLiteError(end == .ok ? step : end, on: target.handle).storeError
      }
    }
    return try SQLiteStore(at: copy, schema: schema, temporaryFolder: folder)
  }

  package func discardClone() { temporaryFolder?.remove() }
}

/// A private folder; it is removed with its content when it is released, or earlier.
final class TemporaryFolder: Sendable {
  let url: URL

  init() throws {
    let parent = FileManager.default.temporaryDirectory
    var template = Array(
      parent.appending(path: "ferry-XXXXXX").path(percentEncoded: false).utf8CString)
    guard let made = mkdtemp(&template) else {
      throw StoreFiles.failure("create a folder in", parent.path(percentEncoded: false))
    }
    url = URL(filePath: String(cString: made), directoryHint: .isDirectory)
  }

  func remove() { try? FileManager.default.removeItem(at: url) }

  deinit { remove() }
}
