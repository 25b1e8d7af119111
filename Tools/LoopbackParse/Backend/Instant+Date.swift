// Ferry: offline-first sync for Parse Server. MIT licence.

import struct Foundation.Date

extension Instant {
  /// Rounds, since a date read from milliseconds may lie a hair below them.
  init(_ date: Date) {
    self.init(milliseconds: Int64((date.timeIntervalSince1970 * 1000).rounded()))
  }
}
