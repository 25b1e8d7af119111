// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel

// A program may open the store without a field that an entry names.
extension OutboxEntry {
  /// Whether the entry sends a field, or an attempt sent it.
  package func concerns(_ field: String) -> Bool {
    changed.contains(field)
      || attempts.contains { $0.sent[field] != nil || $0.withheld.contains(field) }
  }

  /// Takes out a field that nobody can send or compare without knowing it.
  ///
  /// A delete keeps the value for its conflict record.
  ///
  /// - Parameter field: The field; its edit waits elsewhere.
  /// - Returns: Whether the entry is done.
  package mutating func leaveOut(_ field: String) -> Bool {
    for index in attempts.indices {
      attempts[index].sent.values[field] = nil
      attempts[index].withheld.remove(field)
    }
    guard kind == .create || kind == .update else { return false }
    base.values[field] = nil
    rewritten.remove(field)
    // The content has changed since the refusal, so it is sent again.
    if changed.remove(field) != nil { retry() }
    return kind == .update && changed.isEmpty && attempts.isEmpty
  }
}
