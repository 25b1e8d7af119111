// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel

/// A second row of one record of the server, which is removed so that the first row can have the record.
package struct RivalRow: Equatable {
  /// Nil where the app deleted the row.
  package var row: Record?
  /// Its unsent changes.
  package var entry: OutboxEntry?

  package init(row: Record?, entry: OutboxEntry?) {
    self.row = row
    self.entry = entry
  }

  /// The values that are lost with the row, as a conflict record of the other row; nil if there are none.
  package func conflict(of staying: RecordReference, now: Timestamp) -> ConflictRecord? {
    guard let row, let entry, !entry.edited.isEmpty else { return nil }
    let lost = Fields(
      Dictionary(uniqueKeysWithValues: entry.edited.map { ($0, row[$0]) }))
    return ConflictRecord(time: now, record: staying, reason: .duplicateMerged, lost: lost)
  }
}
