// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel

/// A second row of one record of the server, which is removed so that the first row can have the record.
package struct RivalRow: Equatable {
  /// Nil where the app deleted the row.
  package var row: Record?
  /// Its unsent changes.
  package var entry: OutboxEntry?
  /// Its fields that the schema leaves out.
  package var undeclared: UndeclaredFields

  package init(
    row: Record?, entry: OutboxEntry?, undeclared: UndeclaredFields = UndeclaredFields()
  ) {
    self.row = row
    self.entry = entry
    self.undeclared = undeclared
  }

  /// The values that are lost with the row, as a conflict record of the other row; nil if there are none.
  package func conflict(of staying: RecordReference, now: Timestamp) -> ConflictRecord? {
    let edited = entry?.edited ?? []
    guard let row, !edited.isEmpty || undeclared.isEdited else { return nil }
    let lost = Fields(Dictionary(uniqueKeysWithValues: edited.map { ($0, row[$0]) }))
    return ConflictRecord(
      time: now, record: staying, reason: .duplicateMerged, lost: lost.merging(undeclared.unsent))
  }
}
