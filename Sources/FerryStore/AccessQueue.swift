// Ferry: offline-first sync for Parse Server. MIT licence.

import Foundation
import Synchronization

/// The threads on which a store carries out `async` reads and writes.
///
/// A read or a write may wait for the disk and for other programs. A thread of Swift's own pool must not wait.
package final class AccessQueue: Sendable {
  package enum Kind: Sendable {
    case reading, writing
  }

  private let reads = OperationQueue()
  private let writes = OperationQueue()

  package init() {
    reads.maxConcurrentOperationCount = 4
    writes.maxConcurrentOperationCount = 1
    for queue in [reads, writes] { queue.qualityOfService = .userInitiated }
  }

  /// Runs a closure on a thread of the queue, and waits for it without a thread.
  ///
  /// - Throws: The error of the closure; `CancellationError` if the task was cancelled before the closure was done.
  package func run<Result: Sendable>(
    _ kind: Kind, _ body: @escaping @Sendable () throws -> Result
  ) async throws -> Result {
    let access = Access<Result>()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        guard access.wait(continuation) else { return }
        let queue = kind == .reading ? reads : writes
        queue.addOperation { access.run(body) }
      }
    } onCancel: {
      access.cancel()
    }
  }
}

/// One access: it waits for a thread, and then runs on it.
private final class Access<Result: Sendable>: Sendable {
  private enum State {
    case new, over
    case waiting(CheckedContinuation<Result, any Error>)
    case running
  }

  private let state = Mutex(State.new)
  private let cancellation = AccessCancellation()

  /// - Returns: Whether the access still has to run.
  func wait(_ continuation: CheckedContinuation<Result, any Error>) -> Bool {
    let isNew = state.withLock { state in
      guard case .new = state else { return false }
      state = .waiting(continuation)
      return true
    }
    if !isNew { continuation.resume(throwing: CancellationError()) }
    return isNew
  }

  func cancel() {
    let waiting = state.withLock { state -> CheckedContinuation<Result, any Error>? in
      switch state {
      case .new: state = .over
      case .waiting(let continuation):
        state = .over
        return continuation
      case .running, .over: break
      }
      return nil
    }
    waiting?.resume(throwing: CancellationError())
    cancellation.cancel()
  }

  func run(_ body: () throws -> Result) {
    let begun = state.withLock { state -> CheckedContinuation<Result, any Error>? in
      guard case .waiting(let continuation) = state else { return nil }
      state = .running
      return continuation
    }
    guard let begun else { return }
    do {
      begun.resume(returning: try cancellation.carryOut(body))
    } catch {
      begun.resume(throwing: cancellation.isCancelled ? CancellationError() : error)
    }
  }
}
