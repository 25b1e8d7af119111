// Ferry: offline-first sync for Parse Server. MIT licence.

import Foundation
import Synchronization

/// How many connections are open, for those who want to see them end.
final class ConnectionCount: Sendable {
  private struct State {
    var open = 0
    var waiting: [(most: Int, isMet: DispatchSemaphore)] = []
  }

  private let state = Mutex(State())

  var open: Int { state.withLock(\.open) }

  func change(by difference: Int) {
    state.withLock { state in
      state.open += difference
      for wait in state.waiting where state.open <= wait.most { wait.isMet.signal() }
      state.waiting.removeAll { state.open <= $0.most }
    }
  }

  /// Waits until at most that many are open; false if that takes too long.
  func waits(forAtMost most: Int, _ patience: Duration) -> Bool {
    let isMet = DispatchSemaphore(value: 0)
    state.withLock { state in
      if state.open <= most { isMet.signal() } else { state.waiting.append((most, isMet)) }
    }
    let milliseconds = Int(patience / .milliseconds(1))
    return isMet.wait(timeout: .now() + .milliseconds(milliseconds)) == .success
  }
}
