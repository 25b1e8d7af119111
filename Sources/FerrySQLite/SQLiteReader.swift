// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import FerryStore

/// One consistent view: a connection with an open transaction.
class SQLiteReader {
  let layout: SchemaLayout
  let connection: SQLiteConnection
  let decodedNotes: DecodedNotes?
  var restorations = 0
  /// The facts of a view that only reads; nil for a transaction that writes.
  var fixed: FixedView?
  private var isOver = false
  private let cancellation = AccessCancellation.current

  init(
    layout: SchemaLayout, connection: SQLiteConnection, decodedNotes: DecodedNotes? = nil,
    fixed: FixedView? = nil
  ) {
    self.layout = layout
    self.connection = connection
    self.decodedNotes = decodedNotes
    self.fixed = fixed
  }

  /// Ends the view; later calls throw an error instead of entering another transaction.
  func end() { isOver = true }

  /// The only way to get a statement of Ferry's.
  func statement(_ sql: String) throws(StoreError) -> SQLiteStatement {
    try checkIsOpen()
    return try connection.statement(sql)
  }

  /// Checks that the view is still to be used.
  func checkIsOpen() throws(StoreError) {
    guard !isOver else {
      throw StoreError(
        .database,
        "A reader or transaction of a store was used after its closure had returned. Nothing was "
          + "read or changed. Use it inside the closure only.")
    }
    try cancellation?.check()
    // A full disk ends the transaction by itself; without this check, SQLite would commit each
    // later change separately.
    guard connection.isInTransaction else {
      throw StoreError(
        .database,
        "The transaction ended at an error before this one. Nothing of it was kept. Let the first "
          + "error leave the closure.")
    }
  }

  /// Writes to Ferry's own tables in a transaction that is not the engine's.
  func keepingBooks<Result>(_ body: () throws(StoreError) -> Result) throws(StoreError) -> Result {
    let isBegun = try statement("SELECT 1 FROM ferry_author").first { _ in true } == true
    if !isBegun { try connection.beginOwnWrites() }
    // After an error too: the app may go on with the transaction, and its edits are captured.
    defer { if !isBegun { try? connection.endOwnWrites() } }
    return try body()
  }

  func meta(_ key: MetaKey) throws(StoreError) -> Int64 {
    try statement("SELECT value FROM ferry_meta WHERE key = ?").bound(key.rawValue)
      .first { $0.integer(0) } ?? 0
  }
}

extension SQLiteReader: StoreReader {
  var schema: Schema { layout.schema }

  func record(of className: String, localID: LocalID) throws(StoreError) -> Record? {
    let table = try layout.table(className)
    return try statement(table.selectRecordByLocalID).bound(localID)
      .first { table.record(at: $0) }
  }

  func record(of className: String, objectID: String) throws(StoreError) -> Record? {
    let table = try layout.table(className)
    let question = table.selectRecordByObjectID
    if let record = try statement(question).bound(objectID).first({ table.record(at: $0) }) {
      return record
    }
    guard let named = try aliases(of: [objectID])[objectID] else { return nil }
    return try statement(question).bound(named).first { table.record(at: $0) }
  }

  func records(
    of className: String, where condition: Condition?, orderedBy order: [SortOrder], limit: Int?,
    offset: Int
  ) throws(StoreError) -> [Record] {
    let table = try layout.table(className)
    var question = QuerySQL(self)
    let query = Query(className, where: condition, orderedBy: order, limit: limit, offset: offset)
    let text = try question.selection(of: query) { _, _ in table.allColumns }
    return try statement(text).bound(question.values).rows { table.record(at: $0) }
  }

  func count(of className: String, where condition: Condition?) throws(StoreError) -> Int {
    let table = try layout.table(className)
    var question = QuerySQL(self)
    let filter = try question.filter(condition, of: table)
    return try statement("SELECT count(*) FROM \(table.table)\(filter)").bound(question.values)
      .first { $0.count(0) } ?? 0
  }

  func forEachRow(
    of query: Query, reading fields: [String], _ body: ([Value]) throws(StoreError) -> Void
  ) throws(StoreError) {
    var question = QuerySQL(self)
    var types: [FieldType] = []
    let text = try question.selection(of: query, reading: fields) {
      question, source throws(StoreError) in
      var columns: [String] = []
      for name in fields {
        let column = try question.column(name, in: source)
        columns.append(column.sql)
        types.append(column.type)
      }
      return columns.isEmpty ? "NULL" : SQLText.list(columns)
    }
    let statement = try statement(text).bound(question.values)
    defer { statement.reset() }
    while try statement.step() {
      try body(types.enumerated().map { statement.value($0, as: $1) })
    }
  }

  func explain(_ query: Query) throws(StoreError) -> QueryPlan {
    let table = try layout.table(query.className)
    var question = QuerySQL(self)
    let text = try question.selection(of: query) { _, _ in table.allColumns }
    let steps = try statement("EXPLAIN QUERY PLAN \(text)").rows { $0.text(3) }
    let scanned = steps.compactMap { step -> String? in
      let words = step.split(separator: " ")
      guard words.first == "SCAN", words.count > 1 else { return nil }
      return question.classNames[String(words[1])]
        ?? (words[1] == table.entity.table ? query.className : nil)
    }
    return QueryPlan(
      scannedClasses: Set(scanned).sorted(),
      sortsRows: steps.contains { $0.contains("TEMP B-TREE") && $0.contains("ORDER BY") },
      steps: steps)
  }
}
