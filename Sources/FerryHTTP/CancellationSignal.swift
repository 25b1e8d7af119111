// Ferry: offline-first sync for Parse Server. MIT licence.

import Synchronization

/// A signal to stop work in progress.
///
/// Hand the same signal to all parts of one piece of work. `cancel()` is safe on any thread, any
/// number of times.
///
/// ```swift
/// let signal = CancellationSignal()
/// // … on another thread: transport.run(requests, cancellation: signal) { … }
/// signal.cancel()
/// ```
public final class CancellationSignal: Sendable {
  private struct State {
    var isCancelled = false
    var nextNumber = 0
    var actions: [Int: @Sendable () -> Void] = [:]
  }

  private let state = Mutex(State())

  /// Makes a signal that is not cancelled.
  public init() {}

  /// Whether `cancel()` was called.
  public var isCancelled: Bool { state.withLock(\.isCancelled) }

  /// Cancels the work: runs all registered actions on this thread.
  public func cancel() {
    let actions = state.withLock { state in
      state.isCancelled = true
      defer { state.actions = [:] }
      return state.actions.sorted { $0.key < $1.key }.map(\.value)
    }
    // The lock is free here, because an action may ask the signal or register with it.
    for action in actions { action() }
  }

  /// Registers an action for the cancellation; if the signal is already cancelled, runs the action
  /// at once.
  ///
  /// The action runs once, on the thread that cancels. Keep it short: wake a poll, or set a flag.
  /// End the registration when the work is over. An action that has begun by then still finishes.
  public func onCancel(_ action: @escaping @Sendable () -> Void) -> Registration {
    let number: Int? = state.withLock { state in
      guard !state.isCancelled else { return nil }
      state.nextNumber += 1
      state.actions[state.nextNumber] = action
      return state.nextNumber
    }
    if number == nil { action() }
    return Registration(signal: self, number: number)
  }

  /// The registration of an action.
  public struct Registration: Sendable {
    fileprivate let signal: CancellationSignal
    fileprivate let number: Int?

    /// Removes the action, so that it no longer runs.
    public func end() {
      guard let number else { return }
      _ = signal.state.withLock { $0.actions.removeValue(forKey: number) }
    }
  }
}
