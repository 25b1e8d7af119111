// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryStore
import Foundation
import Synchronization

/// The one connection for writing: threads get it in the order in which they asked for it.
final class WriterQueue: Sendable {
  private let connection: SQLiteConnection
  private let turn = FairLock()
  private let owner = Mutex<ObjectIdentifier?>(nil)

  init(
    path: String, for purpose: SQLiteConnection.Purpose = .writing,
    through overlay: Overlay? = nil
  ) throws(StoreError) {
    connection = try SQLiteConnection(path: path, for: purpose, through: overlay)
  }

  func withConnection<Result>(
    _ body: (SQLiteConnection) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    let thread = ObjectIdentifier(Thread.current)
    // A transaction inside another would wait for itself.
    guard owner.withLock({ $0 }) != thread else {
      throw StoreError(
        .database,
        "A write was begun inside the closure of another one. Nothing of the inner one was done. "
          + "Use the transaction that the outer closure was given.")
    }
    turn.lock()
    defer { turn.unlock() }
    owner.withLock { $0 = thread }
    defer { owner.withLock { $0 = nil } }
    return try body(connection)
  }

  /// Gives the connection to the closure, unless a thread has it or waits for it.
  ///
  /// - Returns: The closure's result; nil if it was not called.
  func withIdleConnection<Result>(
    _ body: (SQLiteConnection) throws(StoreError) -> Result
  ) throws(StoreError) -> Result? {
    guard turn.lockIfFree() else { return nil }
    defer { turn.unlock() }
    return try body(connection)
  }
}
