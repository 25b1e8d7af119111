// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import FerryStore

/// A write transaction of the engine; history lists its changes with the author `sync`.
final class SQLiteSyncTransaction: SQLiteReader, SyncTransaction {
  /// The texts of the insert triggers that are away until the end of the transaction, by class.
  private var insertTriggers: [String: [String]] = [:]
  /// The class whose updates nothing captures now, and the texts of its update triggers.
  private var uncaptured: (table: TableLayout, update: String, triggers: [String])?
  /// The rows that the engine itself has removed.
  private(set) var removed: Set<RecordKey> = []
  /// The rows that the engine meant to remove when a trigger had done so already.
  private(set) var removedBefore: Set<RecordKey> = []
  /// The records whose rows a trigger removed before the engine gave them what these have.
  private(set) var identities: [Pointer: Record] = [:]
  /// The records to which the engine bound rows that a trigger had removed before, by the rows' earlier names.
  private(set) var bindings: [Pointer: RowBinding] = [:]
  /// The end of the log before the transaction.
  private(set) var start = HistoryToken(rawValue: 0)
  /// The run to which new conflict records belong.
  var conflictRun: Int64?
  /// The number of the connection's changes before the transaction.
  private var changesAtStart: Int64 = 0
  private let surroundings: StoreSurroundings
  private var now: @Sendable () -> Timestamp { surroundings.now }
  var bulkUpdate: Int { surroundings.bulkUpdate }

  init(
    layout: SchemaLayout, connection: SQLiteConnection, decodedNotes: DecodedNotes? = nil,
    surroundings: StoreSurroundings
  ) {
    self.surroundings = surroundings
    super.init(layout: layout, connection: connection, decodedNotes: decodedNotes)
  }

  var clock: LogClock { LogClock(self, now: now) }

  /// Tells the triggers that Ferry is writing.
  func begin() throws(StoreError) {
    start = try lastToken()
    try connection.beginOwnWrites()
    changesAtStart = connection.totalChanges
  }

  /// Any update but those that log themselves is captured.
  override func statement(_ sql: String) throws(StoreError) -> SQLiteStatement {
    if let uncaptured, sql.hasPrefix(uncaptured.update) { try restoreUpdateTriggers() }
    return try super.statement(sql)
  }

  /// A statement whose caller logs what it updates.
  func statementLoggedByCaller(_ sql: String) throws(StoreError) -> SQLiteStatement {
    try super.statement(sql)
  }

  func attempt<Result>(
    _ body: () throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    let before = (insertTriggers, uncaptured, removed, removedBefore, identities, bindings)
    do throws(StoreError) {
      return try inSavepoint(body)
    } catch {
      guard connection.isInTransaction else { throw error }
      (insertTriggers, uncaptured, removed, removedBefore, identities, bindings) = before
      throw error
    }
  }

  /// Restores the tables for other writers; call this before the commit.
  func finish() throws(StoreError) {
    try restoreUpdateTriggers()
    for text in insertTriggers.values.flatMap(\.self) { try connection.execute(text) }
    insertTriggers = [:]
    try clock.noteTransaction(after: start, by: .sync, .edit)
    if connection.totalChanges != changesAtStart { try countCommit() }
    try connection.endOwnWrites()
  }

  /// Drops the insert triggers of a class.
  ///
  /// In a bulk insert, even a trigger that does nothing costs more than dropping and creating it
  /// again.
  ///
  /// They come back as they were: a newer program may have made them, with more columns than this
  /// one knows. Where the app has triggers, they stay: they note the rows that such a trigger replaces.
  func dropInsertTriggers(of table: TableLayout) throws(StoreError) {
    guard insertTriggers[table.entity.name] == nil, try !hasForeignTriggers() else { return }
    insertTriggers[table.entity.name] = try drop(CaptureTriggers(layout: table).inserts)
  }

  /// Drops the update triggers of a class until another method updates it, or the transaction ends.
  ///
  /// The caller logs the updates.
  func dropUpdateTriggers(of table: TableLayout) throws(StoreError) {
    guard uncaptured?.table !== table else { return }
    try restoreUpdateTriggers()
    let triggers = try drop(CaptureTriggers(layout: table).updates)
    uncaptured = (table, "UPDATE \(table.table)", triggers)
  }

  /// Whether nothing captures the updates of a class now.
  func isUncaptured(_ table: TableLayout) -> Bool { uncaptured?.table === table }

  private func restoreUpdateTriggers() throws(StoreError) {
    for text in uncaptured?.triggers ?? [] { try connection.execute(text) }
    uncaptured = nil
  }

  /// Drops triggers, and returns their texts.
  private func drop(_ triggers: [(name: String, sql: String)]) throws(StoreError) -> [String] {
    let text = try super.statement(
      "SELECT sql FROM sqlite_schema WHERE type = 'trigger' AND name = ?")
    var texts: [String] = []
    for trigger in triggers {
      texts += try text.bound(trigger.name).rows { $0.text(0) }
      try connection.execute("DROP TRIGGER IF EXISTS \(trigger.name)")
    }
    return texts
  }

  func set(_ fields: Fields, of className: String, localID: LocalID) throws(StoreError) {
    let table = try layout.table(className)
    guard try !set(fields, of: table, localID: localID) else { return }
    let reason = try reasonOfNoChange(of: localID, in: table)
    throw reason.code == .noSuchRecord ? try reasonOfAbsence(of: localID, in: table) : reason
  }

  func remove(_ localIDs: [LocalID], from className: String) throws(StoreError) {
    let table = try layout.table(className)
    try forgetUndeclaredEdits(of: removeRows(localIDs, from: table), in: table)
  }

  /// The row stays, and with it what it holds in columns of the app's own.
  func recreate(_ record: Record) throws(StoreError) {
    let table = try layout.table(record.className)
    guard let former = try row(record.localID, in: table) else { return try reinstate(record) }
    try remember(record.localID, objectID: former.objectID, of: record.className)
    let update = try statement(table.wholeUpdate)
    try bind(record, to: update)
    try table.explainingDuplicates(of: record.objectID) { () throws(StoreError) in try update.run()
    }
    try refuseIgnored(table)
    try setUndeclared(of: record, in: table)
    if former.isAcknowledged { try countAcknowledged(-1, of: table) }
  }

  /// A row, as its removal has to know it.
  struct NamedRow {
    var localID: LocalID
    var objectID: String
    var isAcknowledged: Bool
  }

  private func row(
    _ localID: LocalID, in table: TableLayout
  ) throws(StoreError) -> NamedRow? {
    try statement("SELECT objectId, createdAt FROM \(table.table) WHERE localId = ?")
      .bound(localID).first {
        NamedRow(localID: localID, objectID: $0.text(0), isAcknowledged: !$0.isNull(1))
      }
  }

  /// - Returns: The removed rows.
  private func removeRows(
    _ localIDs: [LocalID], from table: TableLayout
  ) throws(StoreError) -> [NamedRow] {
    let delete = try statement("DELETE FROM \(table.table) WHERE localId = ?")
    var rows: [NamedRow] = []
    for localID in localIDs {
      guard let row = try row(localID, in: table) else {
        removedBefore.insert(RecordKey(className: table.entity.name, localID: localID))
        continue
      }
      try remember(localID, objectID: row.objectID, of: table.entity.name)
      try delete.bound(localID).run()
      try refuseIgnored(table)
      removed.insert(RecordKey(className: table.entity.name, localID: localID))
      rows.append(row)
    }
    try countAcknowledged(-rows.count { $0.isAcknowledged }, of: table)
    return rows
  }

  /// Takes the edits of other programs' fields out of the log, of rows that are gone.
  ///
  /// A conflict record keeps them. If the record comes back, its row has the local id again, and nobody edited it.
  func forgetUndeclaredEdits(
    of rows: [NamedRow], in table: TableLayout
  ) throws(StoreError) {
    guard !table.undeclared.isEmpty, !rows.isEmpty else { return }
    let marks = try unfoldedMarks()
    for column in table.undeclared {
      if let field = column.field {
        try FieldReturn.forget(
          field, of: rows.map(\.objectID), className: table.entity.name, in: self)
      }
      guard let mark = marks.start(ofField: column.position, ofClass: table.classNumber) else {
        continue
      }
      let old = "v\(column.position)"
      for row in rows {
        try statement(
          // Edits before the insert are those of a record that had the local id before.
          "UPDATE ferry_log SET \(old) = NULL WHERE \(LogKind.appEdits) IN \(LogKind.edits)"
            + " AND \(old) IS NOT NULL AND token >= ifnull((\(LogKind.lastInsert)), 0)"
        ).bound(mark, table.classNumber, row.localID).run()
      }
    }
  }

  /// A trigger of another program may leave a row as it is without an error.
  func refuseIgnored(_ table: TableLayout) throws(StoreError) {
    if connection.changedRows == 0 { throw .ignored(table.entity.name) }
  }

  func remember(
    _ localID: LocalID, objectID: String, of className: String, lastKnown: Fields
  ) throws(StoreError) {
    connection.entangledIDs.insert(objectID, of: className)
    let known = lastKnown.isEmpty ? nil : try StoredJSON.columnText(lastKnown)
    let knownAt = known == nil ? nil : try lastToken().rawValue
    try statement(
      "INSERT OR REPLACE INTO ferry_identity (class, objectId, localId, lastKnown, knownAt)"
        + " VALUES (?, ?, ?, ?, ?)"
    ).bound(className, objectID, localID, known, knownAt).run()
  }

  func newLocalID(of className: String) throws(StoreError) -> LocalID {
    // SQLite keeps the greatest number that a row of an AUTOINCREMENT table had, and other programs may
    // remove that.
    let table = try layout.table(className)
    let name = table.entity.table
    let next = try statement(
      "UPDATE sqlite_sequence SET seq = seq + 1 WHERE name = ? COLLATE NOCASE RETURNING seq"
    ).bound(name).first { $0.localID(0) }
    if let next { return next }
    let first = try statement(
      "INSERT INTO sqlite_sequence (name, seq)"
        + " SELECT ?, ifnull(max(localId), 0) + 1 FROM \(table.table) RETURNING seq"
    ).bound(name).first { $0.localID(0) }
    return first ?? LocalID()
  }

  func noteWithdrawn(_ objectID: String, of className: String) throws(StoreError) {
    try statement("INSERT OR IGNORE INTO ferry_withdrawn (class, objectId) VALUES (?, ?)")
      .bound(className, objectID).run()
  }

  func forgetAttempts(of record: Pointer, on fields: Set<String>) throws(StoreError) {
    for field in fields {
      try FieldReturn.forget(field, of: [record.objectID], className: record.className, in: self)
    }
  }

  func noteIdentity(_ known: Record) { identities[known.pointer] = known }

  /// Takes note of a row that is gone although its create was sent.
  ///
  /// If the app deleted it before this transaction, the note means nothing.
  func noteBinding(_ binding: RowBinding) {
    bindings[Pointer(className: binding.key.className, objectID: binding.old)] = binding
  }

  func restoreLeftOutFields(of records: [Record]) throws(StoreError) {
    for (className, records) in Dictionary(grouping: records, by: \.className) {
      try FieldRestoration.perform(for: records, of: try layout.table(className), in: self)
    }
  }

  func reinstate(_ record: Record) throws(StoreError) { try reinstate(record, loggedAt: nil) }

  /// Restores a row.
  ///
  /// - Parameters:
  ///   - record: The row.
  ///   - token: The row of the log with its values in the columns of other programs; nil for its last delete.
  /// - Throws: `StoreError` if the row cannot be written.
  func reinstate(_ record: Record, loggedAt token: HistoryToken?) throws(StoreError) {
    let table = try layout.table(record.className)
    let insertion = try statement(table.wholeInsertion)
    try bind(record, to: insertion)
    try table.explainingDuplicates(of: record.objectID) { () throws(StoreError) in
      try insertion.run()
    }
    try refuseIgnored(table)
    try restoreUndeclared(of: record, in: table, loggedAt: token)
    try setUndeclared(of: record, in: table)
    try logInsertions([record.localID], of: table)
    if record.createdAt != nil { try countAcknowledged(1, of: table) }
  }

  /// Binds all columns of a row, in the order of `allColumns`.
  private func bind(_ record: Record, to statement: SQLiteStatement) throws(StoreError) {
    let table = try layout.table(record.className)
    _ = try statement.bound(
      record.localID, record.objectID, record.acl, record.createdAt, record.version)
    for (offset, field) in table.entity.fields.enumerated() {
      let index = Int32(TableLayout.ownColumns.count + offset + 1)
      try statement.bind(index, record[field.name], as: field.type)
    }
  }

  /// Sets the fields of other programs that a record names.
  private func setUndeclared(of record: Record, in table: TableLayout) throws(StoreError) {
    for column in table.undeclared.compactMap(UndeclaredColumn.init) {
      guard let value = record.fields[column.field] else { continue }
      try statement("UPDATE \(table.table) SET \(column.name) = ? WHERE localId = ?")
        .bound(value, record.localID).run()
    }
  }

  /// Gives a row the values that it had in the columns of other programs when the app deleted it.
  ///
  /// The entry of a delete names only what its program declares. A program with such a field would clear it on
  /// the server, where an edit of it waits in the log.
  private func restoreUndeclared(
    of record: Record, in table: TableLayout, loggedAt token: HistoryToken?
  ) throws(StoreError) {
    // Another record may have had the local id since. The record may have had another id before.
    let lastDelete =
      "SELECT token FROM ferry_log WHERE class = ?1 AND localId = ?2 AND kind = "
      + "\(LogKind.delete.rawValue) ORDER BY objectId = ?4 DESC, token DESC LIMIT 1"
    for column in table.undeclared {
      try statement(
        "UPDATE \(table.table) SET \(column.name) = (SELECT \(column.fitting("v\(column.position)"))"
          + " FROM ferry_log WHERE token = ifnull(?3, (\(lastDelete)))) WHERE localId = ?2"
      ).bound(table.classNumber, record.localID, token?.rawValue, record.objectID).run()
    }
  }

  /// Appends inserted rows to history; rows with consecutive local ids become one entry.
  func logInsertions(_ localIDs: [LocalID], of table: TableLayout) throws(StoreError) {
    var runs: [ClosedRange<Int64>] = []
    var start = localIDs.startIndex
    while start < localIDs.endIndex {
      var end = start
      while end + 1 < localIDs.endIndex,
        localIDs[end + 1].rawValue == localIDs[end].rawValue + 1
      { end += 1 }
      runs.append(localIDs[start].rawValue...localIDs[end].rawValue)
      start = end + 1
    }
    try logInsertions(runs, of: table)
  }

  /// Appends inserted rows to history, one entry for each run of local ids.
  func logInsertions(_ runs: [ClosedRange<Int64>], of table: TableLayout) throws(StoreError) {
    let append = try statement(
      """
      INSERT INTO ferry_log (class, author, kind, localId, lastId)
      VALUES (?, \(Author.sync.rawValue), \(LogKind.insert.rawValue), ?, ?)
      """)
    for run in runs {
      try append.bound(table.classNumber, run.lowerBound, run.upperBound).run()
    }
  }

  func countAcknowledged(_ more: Int, of table: TableLayout) throws(StoreError) {
    guard more != 0 else { return }
    try statement("UPDATE ferry_class SET acknowledged = acknowledged + ? WHERE number = ?")
      .bound(more, table.classNumber).run()
  }

  func setMeta(_ key: MetaKey, to value: Int64) throws(StoreError) {
    try statement("INSERT OR REPLACE INTO ferry_meta (key, value) VALUES (?, ?)")
      .bound(key.rawValue, value).run()
  }
}

extension TableLayout {
  /// Inserts a row with all its columns, in the order of `allColumns`.
  var wholeInsertion: String {
    let count = Self.ownColumns.count + columns.count
    return "INSERT INTO \(table) (\(allColumns)) VALUES (\(SQLText.parameters(count)))"
  }

  /// Updates a row in all its columns, in the order of `allColumns`; the first parameter is the local id.
  fileprivate var wholeUpdate: String {
    let names = Self.ownColumns.dropFirst() + columns
    let assignments = names.enumerated().map { "\($1) = ?\($0 + 2)" }
    return "UPDATE \(table) SET \(SQLText.list(assignments)) WHERE localId = ?1"
  }
}
