// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import FerryStore

// A trigger of the app may remove or replace rows while the engine writes. Ferry's own triggers log them like rows
// that the engine removed.
extension SQLiteSyncTransaction {
  func putBackRowsRemovedByTriggers() throws(StoreError) -> TriggeredRemovals {
    var removals = TriggeredRemovals()
    for (removed, token) in try rowsRemovedByTriggers() {
      let table = try layout.table(removed.className)
      try count(removed, more: -1, in: table)
      let record = identified(removed)
      if removedBefore.contains(record.key) {
        try remember(record.localID, objectID: record.objectID, of: record.className)
      } else if try putBack(record, loggedAt: token, formerly: removed.objectID, in: table) {
        removals.putBack.append(record)
        if removed.createdAt == nil, record.createdAt != nil {
          var known = record
          known.fields = identities[removed.pointer]?.fields ?? Fields()
          try attemptUnlessRefused { () throws(StoreError) in
            try restoreLeftOutFields(of: [known])
          }
        }
      } else {
        try remember(record.localID, objectID: record.objectID, of: record.className)
        removals.undeclared[record.key] = try undeclaredFields(ofGone: record, loggedAt: token)
        try forgetUndeclaredEdits(
          of: [
            NamedRow(
              localID: record.localID, objectID: record.objectID,
              isAcknowledged: record.createdAt != nil)
          ], in: table)
        removals.gone.append(record)
      }
    }
    try putBackRowsOfOtherClasses()
    return removals
  }

  /// The row with what the engine would have given it.
  private func identified(_ row: Record) -> Record {
    var row = row
    if let binding = bindings[row.pointer] {
      (row.objectID, row.createdAt) = (binding.objectID, binding.createdAt)
    }
    guard row.createdAt == nil, let known = identities[row.pointer] else { return row }
    (row.createdAt, row.version, row.acl) = (known.createdAt, known.version, known.acl)
    return row
  }

  private func putBackRowsOfOtherClasses() throws(StoreError) {
    guard try lastToken() > start, try hasForeignTriggers() else { return }
    let classes = try OtherClass.all(in: self)
    guard !classes.isEmpty else { return }
    let replaced = try replacedTokens(after: start.rawValue)
    for other in classes { try other.putBackRows(removedSince: start, replaced: replaced) }
  }

  /// The rows that the engine did not remove, and that are gone or replaced since the transaction began.
  private func rowsRemovedByTriggers() throws(StoreError) -> [(record: Record, token: HistoryToken)]
  {
    // Without a trigger of another program, nobody has to go through the log of a large import.
    guard try lastToken() > start, try hasForeignTriggers() else { return [] }
    let tokens = try statement(
      "SELECT token FROM ferry_log WHERE token > ? AND author = \(Author.sync.rawValue)"
        + " AND kind IN \(LogKind.removals) ORDER BY token"
    ).bound(start.rawValue).rows { HistoryToken(rawValue: $0.integer(0)) }
    guard !tokens.isEmpty else { return [] }
    let replaced = try replacedTokens(after: start.rawValue)
    var rows: [RecordKey: (record: Record, token: HistoryToken)] = [:]
    for (record, token) in try removedRows(at: tokens) where !removed.contains(record.key) {
      guard try isKnown(record) else { continue }
      let isLeft = try isThere(record)
      guard !isLeft || replaced.contains(token.rawValue) else { continue }
      // A trigger may replace a row again, which by then has nothing of the server.
      if rows[record.key] == nil || record.createdAt != nil { rows[record.key] = (record, token) }
    }
    return rows.sorted { $0.key < $1.key }.map(\.value)
  }

  /// Inserts a row again, instead of one that a trigger inserted for it; false if a trigger keeps it out.
  private func putBack(
    _ record: Record, loggedAt token: HistoryToken, formerly old: String, in table: TableLayout
  ) throws(StoreError) -> Bool {
    let record = try renewed(record)
    let isAccepted = try attemptUnlessRefused { () throws(StoreError) in
      for localID in try rows(inPlaceOf: record, formerly: old, in: table) {
        try statement("DELETE FROM \(table.table) WHERE localId = ?").bound(localID).run()
      }
      try reinstate(record, loggedAt: token)
    }
    guard isAccepted else { return false }
    guard try isThere(record) else {
      try count(record, more: -1, in: table)
      return false
    }
    return true
  }

  /// The row as it was, with what the engine has imported since into the row that a trigger inserted for it.
  private func renewed(_ record: Record) throws(StoreError) -> Record {
    let others = try records(of: record.className, objectIDs: [record.objectID])
    guard let imported = others.first, imported.createdAt != nil else { return record }
    try count(imported, more: -1, in: try layout.table(record.className))
    var renewed = imported
    renewed.localID = record.localID
    let unsent = try outboxEntries(of: record.className, localIDs: [record.localID])
    for name in unsent.first?.changed ?? [] { renewed.fields[name] = record[name] }
    return renewed
  }

  private func rows(
    inPlaceOf record: Record, formerly old: String, in table: TableLayout
  ) throws(StoreError) -> [LocalID] {
    try statement("SELECT localId FROM \(table.table) WHERE localId = ? OR objectId IN (?, ?)")
      .bound(record.localID, record.objectID, old).rows { $0.localID(0) }
  }

  /// Whether the server has the record, the app inserted its row again, or the outbox has the row.
  ///
  /// A trigger has inserted any other row, which may go as it came.
  private func isKnown(_ record: Record) throws(StoreError) -> Bool {
    let pointer = record.pointer
    if record.createdAt != nil || identities[pointer] != nil || bindings[pointer] != nil {
      return true
    }
    return try !outboxEntries(of: record.className, localIDs: [record.localID]).isEmpty
  }

  /// Whether the row is there: a trigger may have inserted another record under its local id.
  private func isThere(_ record: Record) throws(StoreError) -> Bool {
    let row = try self.record(of: record.className, localID: record.localID)
    guard let row, row.objectID != record.objectID else { return row != nil }
    return try aliases(of: [record.objectID])[record.objectID] == row.objectID
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
