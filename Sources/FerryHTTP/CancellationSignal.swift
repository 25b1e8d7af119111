// Ferry: offline-first sync for Parse Server. MIT licence.

import Synchronization

/// A signal, given once, that work in progress should stop.
///
/// Hand the same signal to everything that belongs to one piece of work. Giving it is safe from any
/// thread, any number of times.
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

  /// Makes a signal that has not been given.
  public init() {}

  /// Whether the signal has been given.
  public var isCancelled: Bool { state.withLock(\.isCancelled) }

  /// Gives the signal, and runs what was registered for it, on this thread.
  public func cancel() {
    let actions = state.withLock { state in
      state.isCancelled = true
      defer { state.actions = [:] }
      return state.actions.sorted { $0.key < $1.key }.map(\.value)
    }
    // Outside the lock: an action may ask the signal, or register for it.
    for action in actions { action() }
  }

  /// Registers what to do when the signal is given; if it has been, does it at once.
  ///
  /// The action runs once, on the thread that cancels, and should be short: wake a poll, set a flag.
  /// End the registration when the work is over; an action that has begun by then still finishes.
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

  /// What stands for an action that was registered.
  public struct Registration: Sendable {
    fileprivate let signal: CancellationSignal
    fileprivate let number: Int?

    /// Takes the action back, so that it no longer runs.
    public func end() {
      guard let number else { return }
      _ = signal.state.withLock { $0.actions.removeValue(forKey: number) }
    }
  }
}
