// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryStore
import Foundation
import Synchronization

/// The pauses of the engine between long transactions, so that other programs can write.
///
/// SQLite's own wait, which most programs use, asks ten times a second. Without these pauses, an import leaves
/// gaps that such a program misses until its wait ends with "database is locked".
final class WritePauses: Sendable {
  /// How long the engine may write without a pause, in seconds.
  ///
  /// The transaction that goes beyond it may take a second, too. Other programs often wait five seconds at most.
  private static let stretch = 1.0
  /// Longer than the time between two questions of a waiting program.
  private static let pause = 0.11

  private struct State {
    /// How long the engine has written since the last pause.
    var written = 0.0
    /// When its last transaction ended.
    var end = 0.0
  }

  private let state = Mutex(State())

  /// Runs a transaction of the engine, after a pause if it is time for one.
  func around<Result>(
    _ transaction: () throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    let now = ProcessInfo.processInfo.systemUptime
    let wait = state.withLock { state in
      let hasPaused = now - state.end >= Self.pause
      if hasPaused || state.written >= Self.stretch {
        defer { state.written = 0 }
        return hasPaused ? 0 : Self.pause - (now - state.end)
      }
      return 0
    }
    if wait > 0 { Thread.sleep(forTimeInterval: wait) }
    let start = ProcessInfo.processInfo.systemUptime
    defer {
      let end = ProcessInfo.processInfo.systemUptime
      state.withLock {
        $0.written += end - start
        $0.end = end
      }
    }
    return try transaction()
  }
}
