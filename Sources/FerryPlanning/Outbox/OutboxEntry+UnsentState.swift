// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel

extension OutboxEntry {
  /// How far the change has come, as an app sees it.
  ///
  /// - Parameter closedClasses: The classes of which the server takes no create while nobody is logged in.
  /// - Returns: The state; nil if nothing is left to send.
  package func unsentState(closedClasses: Set<String>) -> UnsentState? {
    if rule != nil || waitsForLogin(closedClasses: closedClasses) { return .blocked }
    switch state {
    case .ready: return .ready
    case .sending: return .sending
    case .inDoubt: return .inDoubt
    case .blocked(.confirmation): return .heldBack
    case .blocked: return .blocked
    case .parked: return .parked
    case .confirming: return nil
    }
  }

  /// Whether only a login lets the next sync send it.
  package func waitsForLogin(closedClasses: Set<String>) -> Bool {
    rule == nil && state == .ready && kind == .create && closedClasses.contains(className)
  }

  /// Whether the change is one of a row: it does not delete the record.
  package var hasRow: Bool {
    switch kind {
    case .create, .update: true
    case .delete, .deleteAfterCreate: false
    }
  }
}
