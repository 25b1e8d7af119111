// Ferry: offline-first sync for Parse Server. MIT licence.

import Foundation
import Synchronization

/// Where text goes: one of the process's streams, or a test's memory.
protocol ByteSink: Sendable {
  func write(_ text: String)
  /// Why something could not be written; nil while all could, or when nobody reads any more.
  var failure: Int32? { get }
  /// Whether the reader has gone.
  var isClosed: Bool { get }
}

/// One of the process's streams.
///
/// A reader that has gone is no error: what is left to say has nobody to hear it.
final class DescriptorSink: ByteSink {
  private enum State {
    case open, closed
    case failed(Int32)
  }

  private let descriptor: Int32
  private let state = Mutex(State.open)

  init(_ descriptor: Int32) { self.descriptor = descriptor }

  var failure: Int32? {
    state.withLock { if case .failed(let code) = $0 { code } else { nil } }
  }

  var isClosed: Bool { state.withLock { if case .closed = $0 { true } else { false } } }

  func write(_ text: String) {
    state.withLock { state in
      var rest = Array(text.utf8)[...]
      while case .open = state, !rest.isEmpty {
        let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
        if count >= 0 {
          rest = rest.dropFirst(count)
        } else if errno == EPIPE {
          state = .closed
        } else if errno == EAGAIN {
          waitUntilWritable()
        } else if errno != EINTR {
          state = .failed(errno)
        }
      }
    }
  }

  /// Another program may have made the stream non-blocking for all who share it.
  private func waitUntilWritable() {
    var waited = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    poll(&waited, 1, 1000)
  }
}

/// The process's streams as the tool needs them.
enum StandardStreams {
  /// Opens the streams that are closed, so that no store takes their place, and makes a reader that has
  /// gone, or a file that may not grow, an error of `write` instead of the end of the process.
  static func prepare() {
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
    for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO]
    where fcntl(descriptor, F_GETFD) < 0 {
      // The lowest free number is taken, which is this one.
      _ = open("/dev/null", descriptor == STDIN_FILENO ? O_RDONLY : O_WRONLY)
    }
  }
}
