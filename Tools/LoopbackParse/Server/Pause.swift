// Ferry: offline-first sync for Parse Server. MIT licence.

import Foundation

/// Waiting that a server's end cuts short, so that no slow answer keeps a test from finishing.
final class Pause: Sendable {
  private let condition = NSCondition()
  private let over = Flag()

  /// A truth value that only the condition's lock guards.
  private final class Flag: @unchecked Sendable {
    // Safe: read and written with the condition locked, by `Pause` alone.
    var isSet = false
  }

  /// Waits, or returns at once when the pause is over.
  func wait(_ duration: Duration) {
    guard duration > .zero else { return }
    let seconds =
      Double(duration.components.seconds) + Double(duration.components.attoseconds) * 1e-18
    let end = Date(timeIntervalSinceNow: seconds)
    condition.lock()
    defer { condition.unlock() }
    while !over.isSet, condition.wait(until: end) {}
  }

  /// Ends this and every later wait.
  func finish() {
    condition.lock()
    over.isSet = true
    condition.broadcast()
    condition.unlock()
  }
}
