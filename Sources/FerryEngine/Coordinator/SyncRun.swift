// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryHTTP
public import FerryPlanning
import Synchronization

/// A running or finished sync: its events, its report, and the way to stop it.
///
/// It is the only bridge between the engine's threads and `async` code. Releasing a run does not
/// stop it.
public final class SyncRun: Sendable {
  private struct State {
    var result: Result<SyncReport, SyncError>?
    var waiting: [Int: Waiting] = [:]
    var lastNumber = 0
  }

  /// Who waits for the end: resumed with nil where the wait was given up.
  private typealias Waiting = CheckedContinuation<Result<SyncReport, SyncError>?, Never>

  let broadcast: EventBroadcast
  let cancellation = CancellationSignal()
  let ledger: RunLedger
  private let state = Mutex(State())

  init(ledger: RunLedger, observer: @escaping @Sendable (SyncEvent) -> Void = { _ in }) {
    self.ledger = ledger
    broadcast = EventBroadcast(observer: observer)
  }

  /// A stream of all events of the run, from its first event on.
  ///
  /// Each call returns a new stream, which ends with the run.
  public var events: AsyncStream<SyncEvent> { broadcast.stream() }

  /// The report of the run, once it has ended.
  ///
  /// If the awaiting task is cancelled, the wait ends at once. The run goes on; `cancel()` stops it.
  ///
  /// - Throws: `SyncError` when something stopped the whole run; with code `waitCancelled` when the
  ///   awaiting task was cancelled before the run's end.
  public var report: SyncReport {
    get async throws(SyncError) {
      let number = nextNumber()
      let result = await withTaskCancellationHandler {
        await wait(as: number, endsWithTask: true)
      } onCancel: {
        giveUp(number)
      }
      guard let result else {
        throw SyncError(
          .waitCancelled,
          "The task that waited for the sync was cancelled. The sync goes on. Wait for its report in "
            + "another task, or cancel the run.")
      }
      return try result.get()
    }
  }

  /// How the run ended; nil until then.
  package var result: Result<SyncReport, SyncError>? { state.withLock(\.result) }

  /// The result once the run has ended; a caller whose task is cancelled cancels the run with it.
  func resultOrCancelled() async -> Result<SyncReport, SyncError>? {
    await withTaskCancellationHandler {
      await resultAtEnd()
    } onCancel: {
      cancel()
    }
  }

  /// How the run ended; returns at its end, whatever becomes of the awaiting task.
  func resultAtEnd() async -> Result<SyncReport, SyncError>? {
    await wait(as: nextNumber(), endsWithTask: false)
  }

  /// The run's actions so far, record by record; at most `SyncOptions.plannedActionLimit` of them.
  public var actions: [SyncAction] { ledger.actions }

  /// The run's actions and report so far, as `SyncCoordinator.plan` returns them at its end.
  public var plan: SyncPlan { SyncPlan(actions: actions, report: ledger.report) }

  /// Stops the run within half a second, between two transactions; its changes so far stay.
  public func cancel() { cancellation.cancel() }

  func end(_ result: Result<SyncReport, SyncError>) {
    switch result {
    case .success(let report): broadcast.send(.completed(report))
    case .failure(let error): broadcast.send(.failed(error))
    }
    broadcast.finish()
    let waiting = state.withLock { state in
      state.result = result
      defer { state.waiting = [:] }
      return state.waiting.values
    }
    for continuation in waiting { continuation.resume(returning: result) }
  }
  private func nextNumber() -> Int {
    state.withLock { state in
      state.lastNumber += 1
      return state.lastNumber
    }
  }

  private func wait(as number: Int, endsWithTask: Bool) async -> Result<SyncReport, SyncError>? {
    await withCheckedContinuation { continuation in
      let (isOver, result) = state.withLock { state in
        // A task that was cancelled before this has given up already.
        let isOver = state.result != nil || endsWithTask && Task.isCancelled
        if !isOver { state.waiting[number] = continuation }
        return (isOver, state.result)
      }
      if isOver { continuation.resume(returning: result) }
    }
  }

  private func giveUp(_ number: Int) {
    let waiting = state.withLock { $0.waiting.removeValue(forKey: number) }
    waiting?.resume(returning: nil)
  }
}
