// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel

extension OutboxEntry {
  /// The entry with pointers replaced in all its values.
  package func replacingPointers(_ newObjectID: (Pointer) -> String?) -> OutboxEntry {
    var entry = self
    entry.base = base.replacingPointers(newObjectID)
    entry.lastKnown = lastKnown.replacingPointers(newObjectID)
    entry.attempts = attempts.replacingPointers(newObjectID)
    return entry
  }
}

extension [Attempt] {
  /// The attempts with pointers replaced in all that they sent.
  func replacingPointers(_ newObjectID: (Pointer) -> String?) -> [Attempt] {
    map { attempt in
      var replaced = attempt
      replaced.sent = attempt.sent.replacingPointers(newObjectID)
      replaced.elements = attempt.elements?.replacingPointers(newObjectID)
      return replaced
    }
  }
}
