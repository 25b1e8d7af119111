// Ferry: offline-first sync for Parse Server. MIT licence.

import Foundation
import Synchronization

/// Waits for Ctrl-C and SIGTERM.
///
/// The first one asks the command to stop; the second ends the process, which leaves nothing to repair:
/// every change is one transaction.
final class Interruption: Sendable {
  private struct State {
    var signal: Int32?
    var stop: (@Sendable () -> Void)?
  }

  private let state = Mutex(State())
  private let console: Console

  init(console: Console) { self.console = console }

  /// The exit code of the signal that came, if one did.
  var exitCode: ExitCode? {
    state.withLock(\.signal).map { $0 == SIGTERM ? .terminated : .interrupted }
  }

  /// Begins to watch; before, the signals end the process as they do by default.
  func watch() {
    SignalPipe.watch([SIGINT, SIGTERM]) { self.received($0) }
  }

  /// The action at the first signal; taken at once if the signal has come already.
  func onInterruption(_ stop: @escaping @Sendable () -> Void) {
    let isStopped = state.withLock { state in
      state.stop = stop
      return state.signal != nil
    }
    if isStopped { stop() }
  }

  private func received(_ signal: Int32) {
    let (isFirst, stop) = state.withLock { state in
      defer { state.signal = state.signal ?? signal }
      return (state.signal == nil, state.stop)
    }
    guard isFirst else {
      console.clearProgress()
      _exit(signal == SIGTERM ? ExitCode.terminated.rawValue : ExitCode.interrupted.rawValue)
    }
    console.announcement("Stopping after the current transaction. Once more stops at once.")
    stop?()
  }
}
