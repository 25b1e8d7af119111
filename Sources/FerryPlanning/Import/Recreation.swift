// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel

/// A row whose record is gone on the server, made one to be created there again: a pure decision.
///
/// Never an update, which the server would refuse for ever. The row keeps its object id until the
/// server takes the create. A server that takes chosen ids stores the record under it again. Any other
/// server gives a new id, and the old one is the create's client key. Either way devices that keep the
/// same record make one of it.
package struct Recreation: Equatable {
  /// The row, unknown to the server.
  package let row: Record
  package let entry: OutboxEntry
  package let conflict: ConflictRecord

  package init(of lost: Record, now: Timestamp, foldedThrough: HistoryToken) {
    var row = lost
    row.createdAt = nil
    row.version = nil
    var entry = OutboxEntry(
      className: row.className, localID: row.localID, objectID: row.objectID, kind: .create,
      foldedThrough: foldedThrough)
    entry.changed = Set(row.fields.values.filter { !$0.value.isNull }.keys)
    self.row = row
    self.entry = entry
    conflict = ConflictRecord(
      time: now, record: lost.reference, reason: .deletedRemotely, lost: lost.fields,
      isWholeRecord: true)
  }
}
