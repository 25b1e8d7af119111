// Ferry: offline-first sync for Parse Server. MIT licence.

/// How far an unsent change has come; a record without one is synced.
///
/// `PendingChange.state` says it of a change, `Condition.unsent(_:)` asks for it in a query, and
/// `StoreReader.unsentStates(of:localIDs:)` says it of the rows of a list.
public enum UnsentState: String, Sendable, CaseIterable {
  /// The next sync sends it.
  case ready
  /// A request with the change is under way, or the process that sent it has ended.
  case sending
  /// A request was sent and its outcome is unknown; the next sync asks the server for it.
  case inDoubt = "in-doubt"
  /// It waits for another record, for a newer version of its own, or for the end of a rule that another program
  /// added to its table, or for a login.
  case blocked
  /// It is one of many deletes, which wait for a confirmation: `StoreInspection.heldRemovals(of:)`.
  case heldBack = "held-back"
  /// The server refused it, or the attempts at it ran out. Ferry sends it again after an edit of
  /// the record, or after `Store.retryChange(of:localID:)`.
  case parked
}
