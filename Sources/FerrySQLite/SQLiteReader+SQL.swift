// Ferry: offline-first sync for Parse Server. MIT licence.

import CSQLite
import FerryModel
import FerryStore

extension SQLiteReader: SQLReader {
  func query<Row: Decodable>(
    _ sql: String, _ values: [Value], as type: Row.Type
  ) throws(StoreError) -> [Row] {
    try checkIsOpen()
    let statement = try connection.appQuery(sql, values)
    defer { statement.forgetRow() }
    // The first step may prepare the statement anew, with the columns that another program has added.
    var hasRow = try statement.stepForApp()
    let decoder = RowDecoder(try statement.columnNames())
    var rows: [Row] = []
    while hasRow {
      do {
        rows.append(try decoder.decode(type, from: statement.values()))
      } catch {
        throw StoreError(
          .wrongType,
          "Row \(rows.count + 1) of the result cannot be read as \(type): \(error.codingReason) Nothing was "
            + "changed. Correct the SQL or the type.", cause: error)
      }
      hasRow = try statement.stepForApp()
    }
    return rows
  }
}

extension SQLiteWriteTransaction: SQLTransaction {
  func execute(_ sql: String, _ values: [Value]) throws(StoreError) -> Int {
    try checkIsOpen()
    let statement = try connection.appExecution(sql, values)
    // OR FAIL, and a trigger with RAISE(FAIL), would keep a part of the statement.
    return try inSavepoint { () throws(StoreError) in
      defer { statement.forgetRow() }
      while try statement.stepForApp() {}
      return connection.changedRows
    }
  }
}

extension SQLiteStatement {
  /// Moves to the next row of the app's own SQL, which may have a fault that shows only now.
  fileprivate func stepForApp() throws(StoreError) -> Bool {
    do throws(StoreError) {
      return try step()
    } catch {
      guard let cause = error.cause as? SQLiteError, cause.isAboutText else { throw error }
      throw .invalidSQL(cause.message, cause: cause)
    }
  }

  /// Ends the statement, and lets its values go.
  fileprivate func forgetRow() {
    reset()
    forgetBindings()
  }

  /// The names of the columns of the result.
  fileprivate func columnNames() throws(StoreError) -> [String] {
    let names = (0..<sqlite3_column_count(pointer)).map { column in
      sqlite3_column_name(pointer, column).map { String(cString: $0) } ?? ""
    }
    var seen = Set<String>()
    if let twin = names.first(where: { !seen.insert($0).inserted }) {
      throw .invalidSQL("two columns of its result have the name \(twin), so name one with AS")
    }
    return names
  }

  /// The columns of the current row, as values of no field.
  fileprivate func values() -> [Value] {
    (0..<Int(sqlite3_column_count(pointer))).map { value($0, as: .text) }
  }
}
