// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import FerryStore

extension SQLiteSyncTransaction {
  /// From this number of new rows on, dropping the insert triggers and creating them again is
  /// faster.
  static let bulk = 1000

  func apply(_ rows: [ImportRow], to className: String) throws(StoreError) -> [LocalID] {
    let table = try layout.table(className)
    let insertCount = rows.reduce(0) { $1.localID == nil ? $0 + 1 : $0 }
    if insertCount >= Self.bulk { try dropInsertTriggers(of: table) }
    let writer = try ImportWriter(self, table, remembersIDs: insertCount > 0)
    var localIDs: [LocalID] = []
    localIDs.reserveCapacity(rows.count)
    for row in rows { localIDs.append(try writer.write(row)) }
    try writer.log.write(of: table, in: self)
    try logInsertions(writer.inserted, of: table)
    try countAcknowledged(writer.newlyAcknowledged, of: table)
    return localIDs
  }
}

/// Writes whole rows of one class with statements that are prepared once.
private final class ImportWriter {
  /// The inserted rows, in the order written.
  private(set) var inserted: [LocalID] = []
  /// The updates that no trigger captured.
  private(set) var log = UpdateLog()
  /// The number of rows that got their first `createdAt`.
  private(set) var newlyAcknowledged = 0

  private let transaction: SQLiteSyncTransaction
  private let table: TableLayout
  private let types: [FieldType]
  /// The statement that inserts a row, and those that update one; most pages need one of them.
  private lazy var insertion = preparing(table.wholeInsertion)
  private lazy var update = Result { () throws(StoreError) in
    try transaction.statementLoggedByCaller(
      """
      UPDATE \(table.table) SET \(assignments)
      WHERE localId = ?1 AND objectId = ?2 AND createdAt IS NOT NULL
      """)
  }
  private lazy var updateAnyState = preparing(
    "UPDATE \(table.table) SET objectId = ?2, \(assignments) WHERE localId = ?1")
  /// Finds the former local id of an object id; nil if the class has no former ids.
  private let formerID: SQLiteStatement?

  init(_ transaction: SQLiteSyncTransaction, _ table: TableLayout, remembersIDs: Bool)
    throws(StoreError)
  {
    self.transaction = transaction
    self.table = table
    types = table.entity.fields.map(\.type)
    let question = "SELECT 1 FROM ferry_identity WHERE class = ? LIMIT 1"
    let hasFormerIDs =
      try transaction.statement(question).bound(table.entity.name).first { _ in true } == true
    formerID =
      remembersIDs && hasFormerIDs
      ? try transaction.statement(
        """
        SELECT localId FROM ferry_identity i WHERE class = ? AND objectId = ?
        AND NOT EXISTS (SELECT 1 FROM \(table.table) t WHERE t.localId = i.localId)
        AND NOT EXISTS (SELECT 1 FROM ferry_outbox o WHERE o.class = i.class
          AND o.localId = i.localId AND o.objectId IS NOT i.objectId)
        """) : nil
  }

  /// Parameters in the order of the insert statement: local id, object id, and the rest.
  private var assignments: String {
    let names = ["acl", "createdAt", "updatedAt"] + table.columns
    return SQLText.list(names.enumerated().map { "\($1) = ?\($0 + 3)" })
  }

  private func preparing(_ sql: String) -> Result<SQLiteStatement, StoreError> {
    Result { () throws(StoreError) in try transaction.statement(sql) }
  }

  func write(_ row: ImportRow) throws(StoreError) -> LocalID {
    guard row.values.count == table.columns.count else {
      throw StoreError(
        .wrongType,
        "A row of \(table.entity.name) to import has \(row.values.count) values for "
          + "\(table.columns.count) fields. Nothing of it was stored.")
    }
    guard let localID = row.localID else { return try insert(row) }
    let changed = try transaction.isUncaptured(table) ? loggedChange(row, localID) : nil
    let update = try update.get()
    try bind(row, localID, to: update)
    try update.run()
    if transaction.connection.changedRows == 0 {
      try overwrite(row, localID)
    } else if let changed {
      log.add(localID, changed.fields, hasOtherACL: changed.acl)
    }
    return localID
  }

  /// The changes that an update of a row makes, as the planner or a look at the row says.
  private func loggedChange(
    _ row: ImportRow, _ localID: LocalID
  ) throws(StoreError) -> (fields: FieldPositions, acl: Bool) {
    guard let fields = row.changed else { return try foundChange(row, localID) }
    let changed = (fields: fields, acl: row.hasOtherACL)
    // Only a debug build reads the row again, and an error there counts as a difference.
    assert((try? foundChange(row, localID)).map { $0 == changed } ?? false)
    return changed
  }

  private func foundChange(
    _ row: ImportRow, _ localID: LocalID
  ) throws(StoreError) -> (fields: FieldPositions, acl: Bool) {
    let fields = table.entity.fields
    let stored = try transaction.statement(table.selectRecordByLocalID).bound(localID)
    return try stored.first { stored in
      let changed = fields.indices.filter {
        stored.value(TableLayout.ownColumns.count + $0, as: types[$0]) != row.values[$0]
      }
      return (FieldPositions(changed), stored.value(TableLayout.aclColumn, as: .object) != row.acl)
    } ?? (FieldPositions(), false)
  }

  private func insert(_ row: ImportRow) throws(StoreError) -> LocalID {
    let former = try formerID?.bound(table.entity.name, row.objectID).first { $0.localID(0) }
    let insertion = try insertion.get()
    try bind(row, former, to: insertion)
    try table.explainingDuplicates(of: row.objectID) { () throws(StoreError) in try insertion.run()
    }
    try transaction.refuseIgnored(table)
    let localID = LocalID(rawValue: transaction.connection.lastInsertedRow)
    inserted.append(localID)
    newlyAcknowledged += 1
    return localID
  }

  /// The rare case: the server did not know the row yet, or knows it under another id.
  private func overwrite(_ row: ImportRow, _ localID: LocalID) throws(StoreError) {
    let wasAcknowledged = try transaction.statement(
      "SELECT createdAt IS NOT NULL FROM \(table.table) WHERE localId = ?"
    ).bound(localID).first { $0.integer(0) != 0 }
    guard let wasAcknowledged else {
      throw try transaction.reasonOfAbsence(of: localID, in: table)
    }
    let updateAnyState = try updateAnyState.get()
    try bind(row, localID, to: updateAnyState)
    try table.explainingDuplicates(of: row.objectID) { () throws(StoreError) in
      try updateAnyState.run()
    }
    try transaction.refuseIgnored(table)
    if !wasAcknowledged { newlyAcknowledged += 1 }
  }

  private func bind(_ row: ImportRow, _ localID: LocalID?, to statement: SQLiteStatement)
    throws(StoreError)
  {
    if let localID {
      try statement.bind(1, localID.rawValue)
    } else {
      try statement.bindNull(1)
    }
    try statement.bind(2, row.objectID)
    try statement.bind(3, row.acl)
    try statement.bind(4, row.createdAt.description)
    if let version = row.version {
      try statement.bind(5, version.rawValue)
    } else {
      try statement.bindNull(5)
    }
    for offset in row.values.indices {
      try statement.bind(Int32(offset + 6), row.values[offset], as: types[offset])
    }
  }
}
