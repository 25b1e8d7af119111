// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel

/// Turns a row whose record is gone on the server into a row to create; a pure function.
///
/// The server would refuse an update forever. The row keeps its object id until the server accepts the
/// create. It keeps its access control list, which the create sends. A server that accepts ids from
/// clients stores the record under that id again. Any other server chooses a new id, and the old one is
/// the create's client key. Either way, devices that keep the same record make only one.
package struct Recreation: Equatable {
  /// The row, unknown to the server.
  package let row: Record
  package let entry: OutboxEntry
  /// The deletion that lost; nil if it was this device's own.
  package let conflict: ConflictRecord?

  /// - Parameters:
  ///   - lost: The row whose record is gone.
  ///   - undeclared: Its fields that the schema leaves out. Unsent values stay in the row for the program
  ///     that can send them.
  ///   - keepsConflict: Whether another client deleted the record.
  ///   - now: The present time, for the conflict record.
  ///   - foldedThrough: How far the log is folded.
  package init(
    of lost: Record, undeclared: UndeclaredFields, keepsConflict: Bool, now: Timestamp,
    foldedThrough: HistoryToken
  ) {
    var row = lost.unknownToServer
    entry = OutboxEntry(creating: row, foldedThrough: foldedThrough)
    row.fields = row.fields.merging(undeclared.unsent)
    self.row = row
    conflict =
      keepsConflict
      ? ConflictRecord(
        time: now, record: lost.reference, reason: .deletedRemotely,
        lost: lost.fields.merging(undeclared.values), isWholeRecord: true, acl: lost.acl) : nil
  }
}
