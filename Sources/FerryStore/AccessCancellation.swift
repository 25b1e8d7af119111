// Ferry: offline-first sync for Parse Server. MIT licence.

import Foundation
import Synchronization

/// The end of an access to a store before its time, asked for by another thread.
package final class AccessCancellation: Sendable {
  /// The cancellation of this thread, and of tasks that the access begins, which are no part of it.
  @TaskLocal private static var bound: AccessCancellation?

  /// The cancellation of the access on this thread; nil for an access that cannot be cancelled.
  package static var current: AccessCancellation? {
    guard let bound, bound.state.withLock({ $0.thread }) == ObjectIdentifier(Thread.current) else {
      return nil
    }
    return bound
  }

  private struct State {
    var isCancelled = false
    var interrupt: (@Sendable () -> Void)?
    /// The thread that carries the access out.
    var thread: ObjectIdentifier?
  }

  private let state = Mutex(State())

  package init() {}

  /// Carries an access out on this thread.
  func carryOut<Result>(_ access: () throws -> Result) rethrows -> Result {
    state.withLock { $0.thread = ObjectIdentifier(Thread.current) }
    defer { state.withLock { $0.thread = nil } }
    return try Self.$bound.withValue(self, operation: access)
  }

  package var isCancelled: Bool { state.withLock { $0.isCancelled } }

  package func cancel() {
    // Under the lock, so that nobody interrupts what the access has given back.
    state.withLock { state in
      state.isCancelled = true
      state.interrupt?()
    }
  }

  /// Runs a part of the access that another thread can interrupt.
  package func interruptible<Result>(
    by interrupt: @escaping @Sendable () -> Void,
    _ body: () throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    let outer = state.withLock { state in
      defer { state.interrupt = interrupt }
      return state.interrupt
    }
    defer { state.withLock { $0.interrupt = outer } }
    try check()
    return try body()
  }

  /// Throws once the access is cancelled; the caller of the access gets a `CancellationError` instead.
  package func check() throws(StoreError) {
    guard isCancelled else { return }
    throw StoreError(
      .database, "The task was cancelled, so its reading or writing ended. Nothing was changed.")
  }
}
