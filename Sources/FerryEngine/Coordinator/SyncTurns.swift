// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryHTTP
import Synchronization

/// The runs of one coordinator, one after another: two at once would need the same lock.
///
/// A run that waits holds no thread. A request that comes while another one waits becomes part of it, if one run can
/// do what both ask for.
final class SyncTurns: Sendable {
  private struct Waiting {
    let number: Int
    var request: SyncRequest
    let run: SyncRun
    let mayUnite: Bool
    let begin: @Sendable (SyncRequest, SyncTurn) -> Void
  }

  private struct State {
    var lastNumber = 0
    /// The number of the run whose turn it is.
    var present: Int?
    var waiting: [Waiting] = []
  }

  private let state = Mutex(State())

  /// Begins a run now, or when its turn comes.
  ///
  /// - Parameters:
  ///   - request: The caller's wishes.
  ///   - run: The run, which waits.
  ///   - mayUnite: Whether the run may do what other callers ask for, too.
  ///   - begin: Begins the run when its turn comes, with all that it was asked for.
  /// - Returns: The run; one that waits already, if it can do this too.
  func take(
    _ request: SyncRequest, for run: SyncRun, uniting mayUnite: Bool,
    begin: @escaping @Sendable (SyncRequest, SyncTurn) -> Void
  ) -> SyncRun {
    let (number, earlier): (Int, SyncRun?) = state.withLock { state in
      if mayUnite {
        for place in state.waiting.indices where state.waiting[place].mayUnite {
          guard !state.waiting[place].run.cancellation.isCancelled else { continue }
          guard let united = state.waiting[place].request.united(with: request) else { continue }
          state.waiting[place].request = united
          return (0, state.waiting[place].run)
        }
      }
      state.lastNumber += 1
      state.waiting.append(
        Waiting(
          number: state.lastNumber, request: request, run: run, mayUnite: mayUnite, begin: begin))
      return (state.lastNumber, nil)
    }
    if let earlier { return earlier }
    // A run that waits must not wait any longer once it is cancelled.
    _ = run.cancellation.onCancel { [weak self] in self?.giveUp(number) }
    beginNext()
    return run
  }

  /// Ends the turn of a run, and begins the next one.
  func end(_ number: Int) {
    let isOver = state.withLock { state in
      guard state.present == number else { return false }
      state.present = nil
      return true
    }
    if isOver { beginNext() }
  }

  private func giveUp(_ number: Int) {
    let run = state.withLock { state -> SyncRun? in
      guard let place = state.waiting.firstIndex(where: { $0.number == number }) else {
        return nil
      }
      return state.waiting.remove(at: place).run
    }
    run?.end(.failure(.cancelled()))
  }

  private func beginNext() {
    let next = state.withLock { state -> Waiting? in
      guard state.present == nil, !state.waiting.isEmpty else { return nil }
      let next = state.waiting.removeFirst()
      state.present = next.number
      return next
    }
    guard let next else { return }
    next.begin(next.request, SyncTurn(turns: self, number: next.number))
  }
}
