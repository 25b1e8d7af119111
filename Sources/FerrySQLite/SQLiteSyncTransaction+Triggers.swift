// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import FerryStore

// A trigger of the app may remove rows while the engine writes. Ferry's own trigger logs them like rows that the
// engine removed.
extension SQLiteSyncTransaction {
  func putBackRowsRemovedByTriggers() throws(StoreError) -> TriggeredRemovals {
    var removals = TriggeredRemovals()
    for record in try rowsRemovedByTriggers() {
      let table = try layout.table(record.className)
      try count(record, more: -1, in: table)
      if removedBefore.contains(record.key) {
        try remember(record.localID, objectID: record.objectID, of: record.className)
      } else if try putBack(record, in: table) {
        removals.putBack.append(record)
      } else {
        try remember(record.localID, objectID: record.objectID, of: record.className)
        try forgetUndeclaredEdits(of: [record.localID], in: table)
        removals.gone.append(record)
      }
    }
    return removals
  }

  /// The rows that the engine did not remove, and that are gone since the transaction began.
  private func rowsRemovedByTriggers() throws(StoreError) -> [Record] {
    // Without a trigger of another program, nobody has to go through the log of a large import.
    guard try lastToken() > start, try hasForeignTriggers() else { return [] }
    let tokens = try statement(
      "SELECT token FROM ferry_log WHERE token > ? AND author = \(Author.sync.rawValue)"
        + " AND kind = \(LogKind.delete.rawValue) ORDER BY token"
    ).bound(start.rawValue).rows { HistoryToken(rawValue: $0.integer(0)) }
    guard !tokens.isEmpty else { return [] }
    var rows: [RecordKey: Record] = [:]
    for row in try log(at: tokens) where !removed.contains(row.key) {
      guard case .delete(let record) = row.kind, try !isThere(record) else { continue }
      guard try isKnown(record) else { continue }
      rows[row.key] = record
    }
    return rows.sorted { $0.key < $1.key }.map(\.value)
  }

  /// Inserts a row again; false if a trigger keeps it out.
  private func putBack(_ record: Record, in table: TableLayout) throws(StoreError) -> Bool {
    let isAccepted = try attemptUnlessRefused { () throws(StoreError) in try reinstate(record) }
    guard isAccepted else { return false }
    guard try isThere(record) else {
      try count(record, more: -1, in: table)
      return false
    }
    return true
  }

  /// Whether the server has the record, or the outbox has its row.
  ///
  /// A trigger has inserted any other row, which may go as it came.
  private func isKnown(_ record: Record) throws(StoreError) -> Bool {
    if record.createdAt != nil { return true }
    return try !outboxEntries(of: record.className, localIDs: [record.localID]).isEmpty
  }

  private func isThere(_ record: Record) throws(StoreError) -> Bool {
    try self.record(of: record.className, localID: record.localID) != nil
  }

  private func count(_ record: Record, more: Int, in table: TableLayout) throws(StoreError) {
    if record.createdAt != nil { try countAcknowledged(more, of: table) }
  }

  /// Why a row is missing that the engine has read in this transaction.
  func reasonOfAbsence(of localID: LocalID, in table: TableLayout) throws(StoreError) -> StoreError
  {
    let className = table.entity.name
    return try hasForeignTriggers() ? .removedAgain(className) : .noSuchRecord(className, localID)
  }
}
