// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import FerryStore

/// Inserts and compares rows of a batch with statements that are prepared once.
///
/// Rows that the store does not have come in runs, as in a first sync: there an insertion of several rows
/// costs less than a question for each. So after a row that is missing the writer inserts without asking,
/// until SQLite says that it has one.
final class BatchWriter {
  private(set) var comparison = BatchComparison()
  /// The local ids of the inserted rows.
  private(set) var runs: [ClosedRange<Int64>] = []

  private let transaction: SQLiteSyncTransaction
  private let table: TableLayout
  private let view: RowBatch.View
  private let types: [FieldType]
  /// Prepared with the first new row: a listing often shows rows alone that the store has.
  private var single: SQLiteStatement?
  /// Prepared where a run of new rows is that long, because preparing it costs more than a small page.
  private var several: SQLiteStatement?
  private let selection: SQLiteStatement
  /// How many rows one statement inserts, known with the first new row.
  ///
  /// More than 16 gain nothing.
  private var rowsPerInsertion = 1

  init(_ transaction: SQLiteSyncTransaction, _ table: TableLayout, _ view: RowBatch.View)
    throws(StoreError)
  {
    self.transaction = transaction
    self.table = table
    self.view = view
    types = table.entity.fields.map(\.type)
    selection = try transaction.statement("\(table.selectRecords) WHERE objectId = ?")
  }

  /// Lets the statements forget the batch.
  func end() { for statement in [single, several, selection] { statement?.forgetBindings() } }

  func write(_ rows: [Int]) throws(StoreError) {
    var position = 0
    var expectsNew = false
    while position < rows.count {
      guard expectsNew else {
        if let match = try match(rows[position]) {
          comparison.note(match)
          position += 1
        } else {
          expectsNew = true
          if rows.count - position >= SQLiteSyncTransaction.bulk {
            try transaction.dropInsertTriggers(of: table)
          }
          if single == nil, try !transaction.hasForeignTriggers(on: table) { rowsPerInsertion = 16 }
          // A row that is missing and cannot be inserted is an error.
          try insert(rows[position..<(position + 1)])
          position += 1
        }
        continue
      }
      let isRun = rows.count - position >= rowsPerInsertion
      let run = rows[position..<(position + (isRun ? rowsPerInsertion : 1))]
      let inserted = try insertUntilKnown(run)
      position += inserted
      expectsNew = inserted == run.count
    }
  }

  private func insert(_ rows: ArraySlice<Int>) throws(StoreError) {
    let objectID = rows.first.map { view.string(view.cell($0, RowBatch.Column.objectID)) } ?? ""
    let single = try preparedForOne()
    try bind(rows, to: single)
    try table.explainingDuplicates(of: objectID) { () throws(StoreError) in try single.run() }
    try transaction.refuseIgnored(table)
    noteInserted(rows)
  }

  /// Inserts rows up to the first one that the store has; returns how many there were.
  private func insertUntilKnown(_ rows: ArraySlice<Int>) throws(StoreError) -> Int {
    let statement = try rows.count == 1 ? preparedForOne() : preparedForSeveral()
    try bind(rows, to: statement)
    guard try statement.runUntilDuplicate() else {
      try transaction.refuseIgnored(table)
      noteInserted(rows)
      return rows.count
    }
    let count = transaction.connection.changedRows
    noteInserted(rows.prefix(count))
    return count
  }

  private func preparedForOne() throws(StoreError) -> SQLiteStatement {
    if let single { return single }
    let prepared = try transaction.statement(table.insertion(ofRows: 1))
    single = prepared
    return prepared
  }

  private func preparedForSeveral() throws(StoreError) -> SQLiteStatement {
    if let several { return several }
    let prepared = try transaction.statement(table.insertion(ofRows: rowsPerInsertion))
    several = prepared
    return prepared
  }

  private func bind(_ rows: ArraySlice<Int>, to statement: SQLiteStatement) throws(StoreError) {
    var index: Int32 = 1
    for row in rows {
      for cell in view.cells[(row * view.width)..<((row + 1) * view.width)] {
        try statement.bind(index, cell, of: view)
        index += 1
      }
    }
  }

  private func noteInserted(_ rows: ArraySlice<Int>) {
    guard !rows.isEmpty else { return }
    comparison.inserted += rows
    let last = transaction.connection.lastInsertedRow
    let first = last - Int64(rows.count) + 1
    if let open = runs.last, open.upperBound + 1 == first {
      runs[runs.count - 1] = open.lowerBound...last
    } else {
      runs.append(first...last)
    }
  }

  /// The stored row of a record beside the batch's; nil if the store has none.
  private func match(_ row: Int) throws(StoreError) -> BatchMatch? {
    try selection.bind(1, view.cell(row, RowBatch.Column.objectID), of: view)
    return try selection.first { stored in
      var match = BatchMatch(row: row, localID: stored.localID(0))
      match.isAcknowledged = !stored.isNull(3)
      // The columns are in the same order as the cells, behind the local id.
      let cells = view.cells[(row * view.width)..<((row + 1) * view.width)]
      var column = cells.startIndex + RowBatch.Column.version
      match.hasOtherVersion = !stored.means(
        cells[column], of: view, at: RowBatch.Column.version + 1, as: .text)
      column = cells.startIndex + RowBatch.Column.acl
      match.hasOtherACL = !stored.means(
        cells[column], of: view, at: RowBatch.Column.acl + 1, as: .object)
      column = cells.startIndex + RowBatch.Column.firstField
      for position in types.indices
      where !stored.means(
        cells[column + position], of: view, at: RowBatch.Column.firstField + position + 1,
        as: types[position])
      {
        match.differing.insert(position)
      }
      return match
    }
  }
}

extension TableLayout {
  /// Inserts rows with all columns but their local ids.
  ///
  /// Of several rows, `OR FAIL` keeps those before the first one that cannot be inserted, and it spares
  /// SQLite a journal of the statement. No trigger of the app may watch the table then.
  fileprivate func insertion(ofRows count: Int) -> String {
    let names = SQLText.list(Self.ownColumns.dropFirst() + columns)
    let row = "(\(SQLText.parameters(Self.ownColumns.count - 1 + columns.count)))"
    let rows = SQLText.list(repeatElement(row, count: count))
    return "INSERT \(count == 1 ? "" : "OR FAIL ")INTO \(table) (\(names)) VALUES \(rows)"
  }
}

extension SQLiteStatement {
  /// Runs an insertion; true if a row of it is there already.
  fileprivate func runUntilDuplicate() throws(StoreError) -> Bool {
    do {
      try run()
      return false
    } catch {
      guard (error.cause as? SQLiteError)?.code == .constraintUnique else { throw error }
      return true
    }
  }
}
