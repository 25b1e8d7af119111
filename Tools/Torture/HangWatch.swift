// Ferry: offline-first sync for Parse Server. MIT licence.

import Foundation
import Synchronization

/// Ends the process when a piece of work takes too long.
final class HangWatch: Sendable {
  /// The exit code of a process that hung.
  static let exitCode: Int32 = 71

  private let seconds: Double
  private let deadline = Mutex(Date.distantFuture)

  init(seconds: Double) {
    self.seconds = seconds
    Thread.detachNewThread { [self] in
      while deadline.withLock({ $0 > Date.now }) { Thread.sleep(forTimeInterval: 0.2) }
      FileHandle.standardError.write(Data("no end after \(Int(seconds)) s\n".utf8))
      _exit(Self.exitCode)
    }
  }

  /// Begins the next piece of work.
  func restart() { deadline.withLock { $0 = Date.now.addingTimeInterval(seconds) } }
}
