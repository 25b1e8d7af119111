// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel

extension OutboxEntry {
  /// The entry with pointers replaced in all its values.
  package func replacingPointers(_ newObjectID: (Pointer) -> String?) -> OutboxEntry {
    var entry = self
    entry.base = base.replacingPointers(newObjectID)
    for index in attempts.indices {
      entry.attempts[index].sent = attempts[index].sent.replacingPointers(newObjectID)
    }
    return entry
  }
}
