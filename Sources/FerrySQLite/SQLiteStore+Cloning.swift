// Ferry: offline-first sync for Parse Server. MIT licence.

import CSQLite
package import FerryStore
package import Foundation
import Synchronization

extension SQLiteStore {
  /// Copies the database page by page from one consistent view, while others read and write.
  ///
  /// This uses SQLite's backup interface. Reading the file directly would release the locks that
  /// this process has on it.
  package func clone() throws(StoreError) -> any SyncStore {
    try open(readers.withConnection(Self.copy))
  }

  /// A view of the database as it is now, which copies no page but those of the log.
  package func overlaid() throws(StoreError) -> any SyncStore {
    let (folder, files, url) = try Self.emptyCopy()
    guard let overlay = try Overlay(of: self.files.database, copyingLogTo: files.database + "-wal")
    else { return try clone() }
    return try open(Copy(folder: folder, files: files, url: url, overlay: overlay))
  }

  private func open(_ copy: Copy) throws(StoreError) -> SQLiteStore {
    let writer = try WriterQueue(
      path: copy.files.database, for: .writingCopy, through: copy.overlay)
    // A store that is open for reading only may not have installed its schema.
    let view =
      isReadOnly
      ? try StoreOpening(schema, files: copy.files, makesIndexes: false).run(on: writer)
      : StoreOpening.View(
        layout: layout.withLock { $0 }, lastToken: announced.withLock(\.last), moveCount: moveCount,
        schemaVersion: columnsSeenAt.withLock { $0 }, format: format)
    let store = SQLiteStore(
      view, copy.files, writer, lockPath: copy.files.lock, isReadOnly: false,
      temporaryFolder: copy.folder, surroundings.copy(),
      decodedNotes: isReadOnly ? DecodedNotes() : decodedNotes.copy(), overlay: copy.overlay)
    if !isReadOnly { try store.prepareForSync() }
    return store
  }

  /// A copy of a database in a folder of its own.
  struct Copy {
    let folder: TemporaryFolder
    let files: StoreFiles
    let url: URL
    var overlay: Overlay?
  }

  /// An empty file in a folder of its own.
  private static func emptyCopy() throws(StoreError) -> (TemporaryFolder, StoreFiles, URL) {
    let folder = try TemporaryFolder()
    let url = folder.url.appending(path: "clone.sqlite")
    return (folder, try StoreFiles(at: url), url)
  }

  static func copy(from source: SQLiteConnection) throws(StoreError) -> Copy {
    let (folder, files, url) = try emptyCopy()
    let target = try SQLiteConnection(path: files.database, for: .copying)
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
    return Copy(folder: folder, files: files, url: url)
  }

  /// The database file; that of a clone goes with it.
  package var database: URL { URL(filePath: files.database) }

  package func discardClone() {
    overlay?.end()
    temporaryFolder?.remove()
  }
}
