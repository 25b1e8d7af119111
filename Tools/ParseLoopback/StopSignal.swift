// Ferry: offline-first sync for Parse Server. MIT licence.

import Foundation

/// Waits for SIGINT and SIGTERM, so that the tool can save its state before it ends.
///
/// The signals are blocked from the beginning, in all threads that start later. So the system keeps one that comes before
/// the tool waits.
struct StopSignal {
  private let signals: sigset_t

  init() {
    var signals = sigset_t()
    sigemptyset(&signals)
    for number in [SIGINT, SIGTERM] {
      sigaddset(&signals, number)
      // A shell may have a program in the background ignore it.
      signal(number, SIG_DFL)
    }
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    self.signals = signals
  }

  func wait() {
    var (signals, number) = (signals, Int32(0))
    sigwait(&signals, &number)
  }
}
