// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import FerryStore

/// A write transaction of the app, captured by the triggers.
final class SQLiteWriteTransaction: SQLiteReader, CapturedTransaction {
  private let surroundings: StoreSurroundings
  /// The end of the log before the transaction.
  private var start = HistoryToken.start
  var step = TransactionNote.Step.edit

  init(layout: SchemaLayout, connection: SQLiteConnection, surroundings: StoreSurroundings) {
    self.surroundings = surroundings
    super.init(layout: layout, connection: connection)
  }

  func begin() throws(StoreError) { start = try lastToken() }

  /// Notes the transaction in history; call this before the commit.
  func finish() throws(StoreError) {
    try LogClock(self, now: surroundings.now).noteTransaction(after: start, by: .app, step)
  }

  func insert(
    _ className: String, _ fields: Fields, objectID: String?, accessList: Value
  ) throws(StoreError) -> RecordReference {
    if let objectID { try layout.table(className).entity.checkObjectID(objectID) }
    return try insert(
      className, fields, accessList, objectID: objectID ?? surroundings.mintID(), localID: nil)
  }

  func insertAgain(_ row: RecordReference, _ fields: Fields, acl: Value) throws(StoreError) {
    let isTaken = try record(of: row.className, localID: row.localID) != nil
    let isFree = row.localID.isAssigned && !isTaken
    let new = try insert(
      row.className, fields, acl, objectID: row.objectID, localID: isFree ? row.localID : nil)
    try checkIsThere(new)
  }

  func checkIsThere(_ row: RecordReference) throws(StoreError) {
    guard try record(of: row.className, localID: row.localID) != nil else {
      throw .removedAgain(row.className)
    }
  }

  func hasUndeclaredFields(in className: String) throws(StoreError) -> Bool {
    try !layout.table(className).undeclared.isEmpty
  }

  /// Inserts a row; SQLite chooses a local id where none is given.
  private func insert(
    _ className: String, _ fields: Fields, _ acl: Value, objectID: String, localID: LocalID?
  ) throws(StoreError) -> RecordReference {
    let table = try layout.table(className)
    let fields = try table.entity.normalized(fields)
    let insertion = try statement(localID == nil ? table.insertion : table.insertionUnderLocalID)
    try insertion.bind(1, objectID)
    try insertion.bind(2, acl)
    for (offset, field) in table.entity.fields.enumerated() {
      let value = fields[field.name] ?? field.initialValue
      try insertion.bind(Int32(offset + 3), value, as: field.type)
    }
    if let localID { try insertion.bind(Int32(table.columns.count + 3), localID.rawValue) }
    try table.explainingDuplicates(of: objectID) { () throws(StoreError) in try insertion.run() }
    if connection.changedRows == 0 { throw .ignored(className) }
    return RecordReference(
      className: className, localID: LocalID(rawValue: connection.lastInsertedRow),
      objectID: objectID)
  }

  func update(
    _ className: String, _ localID: LocalID, _ fields: Fields, accessList: Value?
  ) throws(StoreError) {
    let table = try layout.table(className)
    let fields = try table.entity.normalized(fields, isRowPresent: true)
    guard try set(fields, accessList, of: table, localID: localID) else {
      throw try reasonOfNoChange(of: localID, in: table)
    }
  }

  func delete(_ className: String, _ localID: LocalID) throws(StoreError) {
    let table = try layout.table(className)
    try statement("DELETE FROM \(table.table) WHERE localId = ?").bound(localID).run()
    guard connection.changedRows > 0 else { throw try reasonOfNoChange(of: localID, in: table) }
  }

  func setToken(_ token: HistoryToken, ofReader name: String) throws(StoreError) {
    try keepingBooks { () throws(StoreError) in
      try statement("INSERT OR REPLACE INTO ferry_reader (name, token) VALUES (?, ?)")
        .bound(name, token.rawValue).run()
    }
  }

  func removeReader(_ name: String) throws(StoreError) {
    try keepingBooks { () throws(StoreError) in
      try statement("DELETE FROM ferry_reader WHERE name = ?").bound(name).run()
    }
  }

  func setUndone(_ note: TransactionNote) throws(StoreError) {
    try keepingBooks { () throws(StoreError) in
      try statement("UPDATE ferry_log_time SET isUndone = 1 WHERE token = ?")
        .bound(note.tokens.upperBound.rawValue).run()
    }
  }

  func setBookkeeping(_ key: String, to json: String?) throws(StoreError) {
    try keepingBooks { () throws(StoreError) in try writeBookkeeping(key, to: json) }
  }

  func attempt<Result>(
    _ body: () throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    try inSavepoint(body)
  }

  func markSeen(_ conflict: ConflictRecord, restoredIn row: LocalID?) throws(StoreError) -> Bool {
    try keepingBooks { () throws(StoreError) in
      try statement(
        "UPDATE ferry_conflict SET seen = 1, restored = ifnull(-?2, restored) WHERE id = ?1"
      ).bound(conflict.id, row).run()
      return !conflict.isSeen
    }
  }

  func markConflictsSeen(of className: String?, through id: Int64?) throws(StoreError) -> Int {
    let only = className == nil ? "" : " AND class = ?2"
    return try keepingBooks { () throws(StoreError) in
      let update = try statement(
        "UPDATE ferry_conflict SET seen = 1 WHERE seen = 0 AND id <= ?1\(only)")
      let values: [(any SQLiteBindable)?] = [id ?? .max] + (className.map { [$0] } ?? [])
      try update.bound(values).run()
      return connection.changedRows
    }
  }
}

extension SQLiteReader {
  /// Gives a row an access list.
  func setAccessList(_ acl: Value, of className: String, localID: LocalID) throws(StoreError) {
    let table = try layout.table(className)
    try statement("UPDATE \(table.table) SET acl = ? WHERE localId = ?").bound(acl, localID).run()
    guard connection.changedRows > 0 else { throw try reasonOfNoChange(of: localID, in: table) }
  }

  /// Why a statement changed no row: there is none, or a trigger of another program keeps it as it is.
  func reasonOfNoChange(
    of localID: LocalID, in table: TableLayout
  ) throws(StoreError) -> StoreError {
    let isThere = try statement("SELECT 1 FROM \(table.table) WHERE localId = ?").bound(localID)
      .first { _ in true }
    let className = table.entity.name
    return isThere == true ? .ignored(className) : .noSuchRecord(className, localID)
  }

  /// Writes single fields of a row, and its access list unless that is nil; false if there is no such row.
  func set(
    _ fields: Fields, _ acl: Value? = nil, of table: TableLayout, localID: LocalID
  ) throws(StoreError) -> Bool {
    let present = zip(table.entity.fields, table.columns).filter { fields[$0.0.name] != nil }
    guard !present.isEmpty || acl != nil else {
      return try statement("SELECT 1 FROM \(table.table) WHERE localId = ?").bound(localID)
        .first { _ in true } ?? false
    }
    let columns = present.map(\.1) + (acl == nil ? [] : ["acl"])
    let update = try statement(
      "UPDATE \(table.table) SET \(SQLText.list(columns.map { "\($0) = ?" })) WHERE localId = ?")
    for (offset, (field, _)) in present.enumerated() {
      try update.bind(Int32(offset + 1), fields[field.name] ?? .null, as: field.type)
    }
    if let acl { try update.bind(Int32(columns.count), acl) }
    try update.bind(Int32(columns.count + 1), localID.rawValue)
    try update.run()
    return connection.changedRows > 0
  }
}

extension TableLayout {
  /// Inserts a row under an object id with an access list and the values of all fields.
  var insertion: String { insertion(of: ["objectId", "acl"] + columns) }

  /// The same, with the local id as the last value.
  var insertionUnderLocalID: String { insertion(of: ["objectId", "acl"] + columns + ["localId"]) }

  private func insertion(of columns: [String]) -> String {
    "INSERT INTO \(table) (\(SQLText.list(columns))) VALUES (\(SQLText.parameters(columns.count)))"
  }

  /// Runs an insert, and explains a conflict with another row's object id; not one with another program's index.
  func explainingDuplicates(of objectID: String, _ body: () throws(StoreError) -> Void)
    throws(StoreError)
  {
    do {
      try body()
    } catch {
      guard let cause = error.cause as? SQLiteError, cause.isAboutIdentity else { throw error }
      var explained = StoreError(
        .duplicateObjectID,
        "The class \(entity.name) has a row with the object id \(objectID) or its local id "
          + "already. Nothing was inserted. Update that row, or choose another id.",
        cause: cause)
      explained.refusal = error.refusal
      explained.rule = error.rule
      throw explained
    }
  }
}

extension SQLiteError {
  /// Whether another row has the ids.
  fileprivate var isAboutIdentity: Bool {
    switch code {
    case .constraintPrimaryKey: true
    // SQLite's message ends with the column.
    case .constraintUnique: message.hasSuffix(".objectId") || message.hasSuffix(".localId")
    default: false
    }
  }
}
