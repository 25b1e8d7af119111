// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel

extension OutboxEntry {
  /// How long a sync waits before it asks the server again for what the server alone can change.
  ///
  /// Without it, a program that syncs whenever a change is due would send requests without end.
  package static let pauseForServer = Duration.seconds(60)

  /// The record that must be created before this change can be sent; nil where it waits for none.
  package var awaitedRecord: Waiting? {
    if case .blocked(.record(let waiting)) = state { waiting } else { nil }
  }

  /// The time from which a sync can move a change that is ready, and that nobody has tried to send.
  package static func wakeUpOfUntouched(at now: Timestamp, isClassLeftOut: Bool) -> Timestamp {
    isClassLeftOut ? now.adding(pauseForServer) : now
  }

  /// The time from which a sync can move the change, without any edit.
  ///
  /// - Parameters:
  ///   - now: The present time, which is the answer for a change that any sync may move.
  ///   - maximumRequestDuration: How long a request may run on the server.
  ///   - isClassLeftOut: Whether the last run left the class out, because the server or the store failed at it.
  ///   - isAwaitedUnsent: Whether `awaitedRecord` is still to be created. Its own change then says when.
  /// - Returns: The time; nil where time alone moves nothing: the change waits for a person, for an edit, for
  ///   another change, or for a version that can be imported.
  package func wakeUp(
    at now: Timestamp, maximumRequestDuration: Duration, isClassLeftOut: Bool = false,
    isAwaitedUnsent: Bool = false
  ) -> Timestamp? {
    let later = now.adding(Self.pauseForServer)
    let soon = Self.wakeUpOfUntouched(at: now, isClassLeftOut: isClassLeftOut || rule != nil)
    switch state {
    case .parked, .blocked(.confirmation), .blocked(.quarantine), .blocked(.formerID),
      .blocked(.keptRow):
      return nil
    case .blocked(.record): return isAwaitedUnsent ? nil : soon
    case .blocked(.notFound): return later
    case .blocked(.backOff(let end)): return max(end, soon)
    case .ready, .blocked(.newFile): return max(failures.pauseEnd(after: now) ?? now, soon)
    case .sending, .blocked(.newerVersion): return soon
    case .inDoubt where clientKey == nil && undecidedFields.isEmpty: return soon
    case .inDoubt, .confirming:
      // Until then, the server may still carry out an attempt, so a look-up decides nothing.
      let ends = attempts.map { $0.startedAt.adding(maximumRequestDuration) }
      return max(ends.max() ?? now, soon)
    }
  }
}
