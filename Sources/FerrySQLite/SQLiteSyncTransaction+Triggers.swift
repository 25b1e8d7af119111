// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import FerryStore

// A trigger of the app may remove rows while the engine writes. Ferry's own trigger logs them like rows that the
// engine removed.
extension SQLiteSyncTransaction {
  func takeRowsRemovedByTriggers() throws(StoreError) -> [Record] {
    // Without a trigger of another program, nobody has to go through the log of a large import.
    guard try lastToken() > start, try hasTriggersOfOthers() else { return [] }
    let tokens = try statement(
      "SELECT token FROM ferry_log WHERE token > ? AND author = \(Author.sync.rawValue)"
        + " AND kind = \(LogKind.delete.rawValue) ORDER BY token"
    ).bound(start.rawValue).rows { HistoryToken(rawValue: $0.integer(0)) }
    guard !tokens.isEmpty else { return [] }
    var records: [Record] = []
    for row in try log(at: tokens) where !removed.contains(row.key) {
      guard case .delete(let record) = row.kind else { continue }
      // The trigger may have put the row back.
      guard try self.record(of: row.className, localID: row.localID) == nil else { continue }
      records.append(record)
    }
    for (className, records) in Dictionary(grouping: records, by: \.className) {
      try takeForRemoved(records, from: try layout.table(className))
    }
    return records
  }

  private func takeForRemoved(_ records: [Record], from table: TableLayout) throws(StoreError) {
    for record in records {
      try remember(record.localID, objectID: record.objectID, of: record.className)
      removed.insert(record.key)
    }
    try countAcknowledged(-records.count { $0.createdAt != nil }, of: table)
    try forgetUndeclaredEdits(of: records.map(\.localID), in: table)
  }

  private func hasTriggersOfOthers() throws(StoreError) -> Bool {
    try statement(
      "SELECT 1 FROM sqlite_schema WHERE type = 'trigger' AND substr(name, 1, 6) <> 'ferry_' LIMIT 1"
    ).first { _ in true } == true
  }
}
