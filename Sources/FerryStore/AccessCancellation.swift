// Ferry: offline-first sync for Parse Server. MIT licence.

import Synchronization

/// The end of an access to a store before its time, asked for by another thread.
package final class AccessCancellation: Sendable {
  /// That of the access that this thread carries out; nil for one that cannot be cancelled.
  @TaskLocal package static var current: AccessCancellation?

  private struct State {
    var isCancelled = false
    var interrupt: (@Sendable () -> Void)?
  }

  private let state = Mutex(State())

  package init() {}

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
    try check()
    state.withLock { $0.interrupt = interrupt }
    defer { state.withLock { $0.interrupt = nil } }
    return try body()
  }

  /// Throws once the access is cancelled; the caller of the access gets a `CancellationError` instead.
  package func check() throws(StoreError) {
    guard isCancelled else { return }
    throw StoreError(
      .database, "The task was cancelled, so its reading or writing ended. Nothing was changed.")
  }
}
