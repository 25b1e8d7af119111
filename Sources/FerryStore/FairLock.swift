// Ferry: offline-first sync for Parse Server. MIT licence.

import Foundation

/// A lock that threads get in the order in which they asked for it.
///
/// With a plain lock, a thread that writes without a pause overtakes those that wait, again and again.
package final class FairLock: @unchecked Sendable {
  // The condition protects both numbers.
  private let condition = NSCondition()
  private var given = 0
  private var served = 0

  package init() {}

  package func lock() {
    condition.lock()
    defer { condition.unlock() }
    let turn = given
    given += 1
    while turn != served { condition.wait() }
  }

  /// Takes the lock if no thread has it or waits for it.
  ///
  /// - Returns: Whether the caller has the lock now.
  package func lockIfFree() -> Bool {
    condition.lock()
    defer { condition.unlock() }
    guard given == served else { return false }
    given += 1
    return true
  }

  package func unlock() {
    condition.lock()
    defer { condition.unlock() }
    served += 1
    condition.broadcast()
  }

  /// How many threads have the lock or wait for it.
  package var demand: Int {
    condition.lock()
    defer { condition.unlock() }
    return given - served
  }
}
