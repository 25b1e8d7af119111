// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel

// The time for which a request may still be at work. A device's clock may be set, so additions also count by one that
// only goes forward.
extension OutboxEntry {
  /// The newest attempt has an answer, or has none: its last request left before.
  ///
  /// - Parameters:
  ///   - now: The present time.
  ///   - uptime: Seconds that only increase while the device runs.
  package mutating func noteLastTry(at now: Timestamp, uptime: Double) {
    guard let newest = attempts.indices.last, attempts[newest].kind == .update,
      attempts[newest].increments != nil
    else { return }
    attempts[newest].startedAt = now
    attempts[newest].increments?.lastTry = Int64(uptime * 1000)
  }

  /// Moves attempts with a start in the future to the present, because the clock was set back
  /// since, and shortens a pause likewise.
  ///
  /// Otherwise an entry that waits for the maximum request duration would wait until the clock has
  /// caught up. Additions count the seconds that have passed, whatever the clock shows. They begin anew after a restart
  /// of the device.
  ///
  /// - Parameters:
  ///   - now: The present time.
  ///   - uptime: Seconds that only increase while the device runs.
  package mutating func trustClock(at now: Timestamp, uptime: Double) {
    for index in attempts.indices {
      if attempts[index].startedAt > now { attempts[index].startedAt = now }
      guard attempts[index].kind == .update, let increments = attempts[index].increments else {
        continue
      }
      let present = Int64(uptime * 1000)
      let last = min(increments.lastTry ?? present, present)
      attempts[index].increments?.lastTry = last
      attempts[index].startedAt = now.adding(milliseconds: last - present)
    }
    failures.trustClock(at: now)
  }
}
