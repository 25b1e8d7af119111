// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel

extension OutboxEntry {
  /// The time from which a sync can move the change, without any edit.
  ///
  /// - Parameters:
  ///   - now: The present time, which is the answer for a change that any sync may move.
  ///   - maximumRequestDuration: How long a request may run on the server.
  /// - Returns: The time; nil where time alone moves nothing: the change waits for a person, for an edit, or
  ///   for a version that can be imported.
  package func wakeUp(at now: Timestamp, maximumRequestDuration: Duration) -> Timestamp? {
    switch state {
    case .parked, .blocked(.confirmation), .blocked(.quarantine): return nil
    case .blocked(.backOff(let end)): return max(end, now)
    case .ready: return failures.pauseEnd(after: now) ?? now
    case .sending, .blocked(.record), .blocked(.newerVersion), .blocked(.notFound): return now
    case .inDoubt where clientKey == nil: return now
    case .inDoubt, .confirming:
      // Until then, the server may still carry out an attempt, so a look-up decides nothing.
      let ends = attempts.map { $0.startedAt.adding(maximumRequestDuration) }
      return max(ends.max() ?? now, now)
    }
  }
}
