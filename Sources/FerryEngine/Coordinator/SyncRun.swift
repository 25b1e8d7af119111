// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryHTTP
public import FerryPlanning
import Synchronization

/// A sync that was started: what it says, what it did, and how to stop it.
///
/// The only bridge between the engine's threads and `async` code. Letting go of a run does not stop it.
public final class SyncRun: Sendable {
  private struct State {
    var result: Result<SyncReport, SyncError>?
    var waiting: [CheckedContinuation<Result<SyncReport, SyncError>, Never>] = []
  }

  let broadcast = EventBroadcast()
  let cancellation = CancellationSignal()
  let ledger: RunLedger
  private let state = Mutex(State())

  init(ledger: RunLedger) { self.ledger = ledger }

  /// Everything the run says, from its first event on, whenever you begin to listen.
  ///
  /// Each call gives a stream of its own; it ends with the run.
  public var events: AsyncStream<SyncEvent> { broadcast.stream() }

  /// What the run did, once it has ended.
  ///
  /// - Throws: `SyncError` when something stopped the whole run.
  public var report: SyncReport {
    get async throws {
      let result = await withCheckedContinuation { continuation in
        let ended = state.withLock { state in
          if state.result == nil { state.waiting.append(continuation) }
          return state.result
        }
        if let ended { continuation.resume(returning: ended) }
      }
      return try result.get()
    }
  }

  /// What the run did so far, record by record; at most `SyncOptions.plannedActionLimit` of it.
  public var actions: [SyncAction] { ledger.actions }

  /// Stops the run within half a second, between two transactions; what was done stays done.
  public func cancel() { cancellation.cancel() }

  func end(_ result: Result<SyncReport, SyncError>) {
    switch result {
    case .success(let report): broadcast.send(.completed(report))
    case .failure(let error): broadcast.send(.failed(error))
    }
    broadcast.finish()
    let waiting = state.withLock { state in
      state.result = result
      defer { state.waiting = [] }
      return state.waiting
    }
    for continuation in waiting { continuation.resume(returning: result) }
  }
}
