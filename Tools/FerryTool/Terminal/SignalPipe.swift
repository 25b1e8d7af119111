// Ferry: offline-first sync for Parse Server. MIT licence.

import Foundation

/// Carries signals from their handler, which may do next to nothing, to a thread that may do anything.
///
/// Blocking the signals and waiting for them would be simpler, but the main thread of an `async` program
/// waits with no signal blocked.
enum SignalPipe {
  /// Read and write end; made before the handler is set, so that the handler only reads them.
  private static let ends: [Int32] = {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return [] }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return ends
  }()

  /// A program that started this one may have left the signals blocked, which is inherited.
  private static func unblock(_ signals: [Int32]) {
    var set = sigset_t()
    sigemptyset(&set)
    for number in signals { sigaddset(&set, number) }
    pthread_sigmask(SIG_UNBLOCK, &set, nil)
  }

  /// Calls `received` on a thread of its own for each of the signals that comes.
  static func watch(_ signals: [Int32], received: @escaping @Sendable (Int32) -> Void) {
    // Without a pipe the signals keep ending the process, which harms nothing.
    guard let readEnd = ends.first else { return }
    Thread.detachNewThread {
      unblock(signals)
      var byte: UInt8 = 0
      while true {
        let count = read(readEnd, &byte, 1)
        if count == 1 { received(Int32(byte)) }
        if count == 0 || (count < 0 && errno != EINTR) { return }
      }
    }
    for number in signals {
      signal(number) { number in
        let error = errno
        var byte = UInt8(truncatingIfNeeded: number)
        _ = write(SignalPipe.ends[1], &byte, 1)
        errno = error
      }
    }
  }
}
