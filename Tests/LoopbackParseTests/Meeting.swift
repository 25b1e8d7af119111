// Ferry: offline-first sync for Parse Server. MIT licence.

import Foundation

/// Blocks threads until a number of them has arrived, or until half a minute has passed.
final class Meeting: Sendable {
  private let condition = NSCondition()
  private let attendance = Attendance()
  private let size: Int

  /// Safe: only `Meeting` reads and writes it, with the condition locked.
  private final class Attendance: @unchecked Sendable {
    var count = 0
  }

  init(of size: Int) { self.size = size }

  func attend() {
    let end = Date(timeIntervalSinceNow: 30)
    condition.lock()
    defer { condition.unlock() }
    attendance.count += 1
    condition.broadcast()
    while attendance.count < size, condition.wait(until: end) {}
    // A thread that gave up waiting does not count for later ones.
    if attendance.count < size { attendance.count -= 1 }
  }

  var wasComplete: Bool {
    condition.lock()
    defer { condition.unlock() }
    return attendance.count >= size
  }
}
