// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel

// The decisions of an app or a person about an unsent change.
extension OutboxEntry {
  /// The edit that takes the change back; nil as long as the outcome of an attempt is unknown.
  ///
  /// Nobody knows then what the server has.
  package var reversingEdit: ReversingEdit? {
    guard state != .sending, state != .inDoubt, !hasUnresolvedAttempts else { return nil }
    switch kind {
    case .create: return .delete
    case .update:
      let values = edited.map { ($0, base[$0] ?? .null) }
      guard !values.isEmpty else { return ReversingEdit.none }
      return .update(Fields(Dictionary(uniqueKeysWithValues: values)))
    case .delete: return .insert(base)
    // Without an attempt of unknown outcome, the server does not have the record.
    case .deleteAfterCreate: return ReversingEdit.none
    }
  }

  /// Lets the next sync send the change, where only an edit or time would move it.
  ///
  /// - Returns: Whether the change was waiting so.
  package mutating func sendAgain() -> Bool {
    switch state {
    // Only the decision of the app moves it.
    case .parked where awaitsDecision: return false
    case .parked:
      retry()
    case .blocked(.backOff), .blocked(.newFile):
      failures = FailureStreak()
      enter(.ready)
    case .ready where failures.isPausing:
      failures = FailureStreak()
    case .ready, .sending, .inDoubt, .blocked, .confirming: return false
    }
    return true
  }

  /// Whether a sync still has work with the change: to send it, or to note its outcome against a rule of another program.
  package var isUnsent: Bool { state != .confirming || rule != nil }
}
