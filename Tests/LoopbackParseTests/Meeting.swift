// Ferry: offline-first sync for Parse Server. MIT licence.

import Foundation

/// Holds threads until a number of them has come, or until half a minute has passed.
final class Meeting: Sendable {
  private let condition = NSCondition()
  private let attendance = Attendance()
  private let size: Int

  /// Safe: read and written with the condition locked, by `Meeting` alone.
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
    // Whoever gave up waiting counts for nobody who comes later.
    if attendance.count < size { attendance.count -= 1 }
  }

  var wasComplete: Bool {
    condition.lock()
    defer { condition.unlock() }
    return attendance.count >= size
  }
}
