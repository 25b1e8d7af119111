// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel

/// Which captured edits of a class are read, and in which order.
package enum LogSelection: Sendable {
  /// All edits, by local id, the oldest of each row first.
  case byRow
  /// As `byRow`, without the rows that `SyncReader.newRowCount` counts.
  case byRowButNew
  /// The edits of one row, oldest first.
  case row(LocalID)
  /// The edits that removed a row, by object id, the oldest of each first.
  case removals

  /// The row whose edits alone are read.
  package var row: LocalID? {
    guard case .row(let localID) = self else { return nil }
    return localID
  }
}
