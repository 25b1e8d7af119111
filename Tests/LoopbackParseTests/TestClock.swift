// Ferry: offline-first sync for Parse Server. MIT licence.

import Synchronization

import struct Foundation.Date

/// A clock that starts at a fixed moment and moves a millisecond at each reading.
final class TestClock: Sendable {
  private let milliseconds = Mutex<Int64>(1_700_000_000_000)

  func next() -> Date {
    milliseconds.withLock { milliseconds in
      milliseconds += 1
      return Date(timeIntervalSince1970: Double(milliseconds) / 1000)
    }
  }
}
