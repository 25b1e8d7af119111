// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryStore
import Foundation
import Synchronization

/// Notices that another store has committed to the same file, in this process or in another.
///
/// The system tells that the store's files were written to. SQLite's count for a connection then tells whether another
/// one has committed. So nothing is read while nobody writes.
final class ForeignCommits: Sendable {
  /// When to count after the last write to a file, in milliseconds.
  ///
  /// A commit shows only after its last write has reached the disk.
  private static let moments = [0, 3, 10, 30, 100, 200, 500, 1000, 2000, 5000, 10_000]

  private struct State {
    var connection: SQLiteConnection
    var version: Int64
    /// The count for the store's own connection for writing, which its own commits leave as it is.
    var versionForWriter: Int64?
    /// Which write of the files the counts to come belong to.
    var write = 0
  }

  private let state: Mutex<State>
  private let writer: WriterQueue
  private let queue = DispatchQueue(label: "ferry.foreign-commits")
  private let watch = Mutex<FileWatch?>(nil)
  private let notify: @Sendable () -> Void

  /// Begins to watch; nil if the system cannot watch the folder.
  ///
  /// - Parameters:
  ///   - path: The database file.
  ///   - writer: The connection of the store that watches, whose commits are not foreign.
  ///   - notify: Called after a commit, on a thread of its own; also after some of the store itself.
  /// - Throws: `StoreError` if the file cannot be read.
  init?(
    path: String, writer: WriterQueue, notify: @escaping @Sendable () -> Void
  ) throws(StoreError) {
    let connection = try SQLiteConnection(path: path, for: .reading)
    self.writer = writer
    state = Mutex(
      State(
        connection: connection, version: try connection.dataVersion(),
        versionForWriter: try writer.dataVersion()))
    self.notify = notify
    let file = URL(filePath: path)
    let watch = FileWatch(
      file.deletingLastPathComponent().path(percentEncoded: false),
      names: [file.lastPathComponent, file.lastPathComponent + "-wal"], on: queue
    ) { [weak self] in self?.written() }
    guard let watch else { return nil }
    self.watch.withLock { $0 = watch }
  }

  private func written() {
    let write = state.withLock { state in
      state.write += 1
      return state.write
    }
    count(at: 0, after: write)
  }

  private func count(at place: Int, after write: Int) {
    guard state.withLock({ $0.write == write }) else { return }
    if hasCommit() { notify() }
    guard place + 1 < Self.moments.count else { return }
    let pause = Self.moments[place + 1] - Self.moments[place]
    queue.asyncAfter(deadline: .now() + .milliseconds(pause)) { [weak self] in
      self?.count(at: place + 1, after: write)
    }
  }

  /// A file that cannot be read now is read after the next write.
  private func hasCommit() -> Bool {
    state.withLock { state in
      guard let version = try? state.connection.dataVersion(), version != state.version else {
        return false
      }
      state.version = version
      // While the store writes, nothing tells whose commit it was.
      guard let versionForWriter = try? writer.dataVersion() else { return true }
      defer { state.versionForWriter = versionForWriter }
      return versionForWriter != state.versionForWriter
    }
  }
}

extension WriterQueue {
  /// A number that changes with each commit of another connection; nil while the store writes.
  fileprivate func dataVersion() throws(StoreError) -> Int64? {
    try withIdleConnection { connection throws(StoreError) in try connection.dataVersion() }
  }
}

extension SQLiteConnection {
  /// A number that changes with each commit of another connection.
  fileprivate func dataVersion() throws(StoreError) -> Int64 {
    try statement("PRAGMA data_version").first { $0.integer(0) } ?? 0
  }
}

extension SQLiteStore {
  /// Signals commits of other processes from now on.
  ///
  /// A store whose files cannot be watched signals them when it is next used, and tries again with the next listener.
  func watchForeignCommits() {
    guard overlay == nil else { return }
    foreignCommits.withLock { foreign in
      guard foreign == nil else { return }
      foreign = try? ForeignCommits(path: files.database, writer: writer) { [weak self] in
        guard let self else { return }
        // A reading tells the listeners of `changes` which rows changed, and finds out whether the file is a backup.
        try? read { _ throws(StoreError) in }
        commitBroadcast.send(())
      }
    }
  }
}
