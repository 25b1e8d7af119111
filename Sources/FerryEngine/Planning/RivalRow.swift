// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning

/// A second row for one record of the server, which leaves so that the first one can stand for it.
struct RivalRow: Equatable {
  /// Nil where the app deleted the row.
  var row: Record?
  /// Its unsent changes.
  var entry: OutboxEntry?

  /// What is lost with the row, as a conflict of the row that stays; nil where nothing is.
  func conflict(of staying: RecordReference, now: Timestamp) -> ConflictRecord? {
    guard let row, let entry, !entry.edited.isEmpty else { return nil }
    let lost = Fields(
      Dictionary(uniqueKeysWithValues: entry.edited.map { ($0, row[$0]) }))
    return ConflictRecord(time: now, record: staying, reason: .duplicateMerged, lost: lost)
  }
}
