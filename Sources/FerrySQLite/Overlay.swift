// Ferry: offline-first sync for Parse Server. MIT licence.

import CSQLite
import FerryStore
import Foundation
import Synchronization

/// A database as one reader sees it, with the changes of a plan kept apart.
///
/// A plan reads little of a large store, so it copies none of it. A connection holds a read transaction on the
/// original. As long as it does, SQLite moves no newer page into the original's file. The connections of the plan have
/// a database file of their own, which gets the pages that they write (`OverlayFile`). They read all others from the
/// original's file. The original's log is copied, because the newest pages may be there alone.
///
/// Meanwhile, other programs read and write the original as before. Its log grows by what they write, because SQLite
/// cannot begin it anew before the transaction ends.
final class Overlay: @unchecked Sendable {
  // Unchecked: the lock guards what changes.
  private let source: SQLiteConnection
  private let original: UnsafeMutablePointer<sqlite3_file>
  private let pageSize: Int64
  private let state: Mutex<State>
  private let vfs: OverlayVFS

  private struct State {
    /// The pages that were written here.
    var written: Set<Int64> = []
    /// The bytes of the original that are still part of the database.
    var shown: Int64
    /// The size of the database.
    var size: Int64
    var hasEnded = false
  }

  /// Begins to read a database; nil if it has no write-ahead log, as then a reader would keep writers out.
  ///
  /// - Parameters:
  ///   - path: The original.
  ///   - log: The file for the copy of the original's log.
  /// - Throws: `StoreError` if the original cannot be read, or its log cannot be copied.
  init?(of path: String, copyingLogTo log: String) throws(StoreError) {
    source = try SQLiteConnection(path: path, for: .reading)
    try source.begin(toWrite: false)
    // Unlike a look at a table, this opens the view without a parse of the schema, which the plan never uses here.
    _ = try source.schemaVersion()
    guard let original = source.file(SQLITE_FCNTL_FILE_POINTER), original.hasLog,
      let size = original.size
    else { return nil }
    self.original = original
    pageSize = try source.statement("PRAGMA page_size").first { $0.integer(0) } ?? 4096
    state = Mutex(State(shown: size, size: size))
    guard let vfs = OverlayVFS() else { return nil }
    self.vfs = vfs
    try copyLog(to: log)
    vfs.overlay = Unmanaged.passUnretained(self)
  }

  /// The name under which SQLite opens the database.
  var name: UnsafePointer<CChar>? { vfs.name }

  /// Ends the read transaction; what is not here cannot be read any more.
  func end() {
    state.withLock { $0.hasEnded = true }
    source.rollBack()
  }

  private func copyLog(to path: String) throws(StoreError) {
    guard let log = source.file(SQLITE_FCNTL_JOURNAL_POINTER), let size = log.size, size > 0 else {
      return
    }
    let copy = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard copy >= 0 else { throw StoreFiles.failure("create", path) }
    defer { close(copy) }
    // The process's mask may have removed permissions that the owner needs.
    guard fchmod(copy, 0o600) == 0 else { throw StoreFiles.failure("create", path) }
    let part = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 16)
    defer { part.deallocate() }
    var offset: Int64 = 0
    while offset < size {
      let count = min(size - offset, Int64(part.count))
      let result = log.read(part.baseAddress, Int32(count), offset)
      // Another program may cut a log that has nothing which the original's file lacks.
      if SQLiteResultCode(rawValue: result) == .ioErrorShortRead { return }
      try source.check(result)
      guard pwrite(copy, part.baseAddress, Int(count), Int(offset)) == count else {
        throw StoreFiles.failure("write", path)
      }
      offset += count
    }
  }
}

// The answers to an `OverlayFile`.
extension Overlay {
  var size: Int64 { state.withLock { $0.size } }

  /// Reads a part of one page: from the overlay's own file, or from the original.
  func read(
    _ bytes: UnsafeMutableRawPointer?, _ count: Int32, _ offset: Int64, own: () -> Int32
  ) -> Int32 {
    state.withLock { state in
      if state.written.contains(offset / pageSize) || offset >= state.shown { return own() }
      return state.hasEnded ? SQLITE_IOERR : original.read(bytes, count, offset)
    }
  }

  func wrote(_ count: Int32, _ offset: Int64) {
    state.withLock { state in
      let end = offset + Int64(count)
      for page in offset / pageSize...(end - 1) / pageSize { state.written.insert(page) }
      state.size = max(state.size, end)
    }
  }

  func truncated(to size: Int64) {
    state.withLock { state in
      state.size = size
      state.shown = min(state.shown, size)
    }
  }
}

extension UnsafeMutablePointer<sqlite3_file> {
  fileprivate var size: Int64? {
    var size: sqlite3_int64 = 0
    guard let methods = pointee.pMethods, methods.pointee.xFileSize(self, &size) == SQLITE_OK else {
      return nil
    }
    return size
  }

  /// Whether the database has a write-ahead log: its header says so.
  fileprivate var hasLog: Bool {
    var versions: (write: UInt8, read: UInt8) = (0, 0)
    let result = withUnsafeMutableBytes(of: &versions) { read($0.baseAddress, 2, 18) }
    return result == SQLITE_OK && versions == (2, 2)
  }

  fileprivate func read(
    _ bytes: UnsafeMutableRawPointer?, _ count: Int32, _ offset: Int64
  ) -> Int32 {
    pointee.pMethods?.pointee.xRead(self, bytes, count, offset) ?? SQLITE_IOERR
  }
}
