// Ferry: offline-first sync for Parse Server. MIT licence.

import CSQLite
import FerryStore

/// Owns one prepared statement of SQLite.
final class SQLiteStatement {
  let pointer: OpaquePointer
  private let handle: OpaquePointer

  /// Owns a statement that is prepared.
  init(_ pointer: OpaquePointer, on handle: OpaquePointer) {
    self.pointer = pointer
    self.handle = handle
  }

  init(_ sql: String, on handle: OpaquePointer) throws(StoreError) {
    var pointer: OpaquePointer?
    let flags = UInt32(SQLITE_PREPARE_PERSISTENT)
    let result = SQLiteResultCode(
      rawValue: sqlite3_prepare_v3(handle, sql, -1, flags, &pointer, nil))
    guard result == .ok, let pointer else { throw SQLiteError(result, on: handle).storeError }
    self.pointer = pointer
    self.handle = handle
  }

  deinit { sqlite3_finalize(pointer) }

  /// Whether it was stepped and has not been reset since.
  var isBusy: Bool { sqlite3_stmt_busy(pointer) != 0 }

  /// Whether it writes nothing to the database.
  var isReadOnly: Bool { sqlite3_stmt_readonly(pointer) != 0 }
  /// Whether it only tells how SQLite would carry another statement out.
  var isExplanation: Bool { sqlite3_stmt_isexplain(pointer) != 0 }

  /// The number of values that it takes.
  var parameterCount: Int { Int(sqlite3_bind_parameter_count(pointer)) }

  /// Moves to the next row; false after the last one.
  func step() throws(StoreError) -> Bool {
    let result = SQLiteResultCode(rawValue: sqlite3_step(pointer))
    switch result {
    case .row: return true
    case .done: return false
    default: throw failure(result)
    }
  }

  func reset() { sqlite3_reset(pointer) }

  /// Runs the statement to its end for its effects.
  func run() throws(StoreError) {
    defer { reset() }
    while try step() {}
  }

  /// The results of a closure for each row.
  func rows<Row>(_ make: (SQLiteStatement) throws(StoreError) -> Row) throws(StoreError) -> [Row] {
    defer { reset() }
    var rows: [Row] = []
    while try step() { rows.append(try make(self)) }
    return rows
  }

  /// The result of a closure for the first row; nil if there is none.
  func first<Row>(_ make: (SQLiteStatement) throws(StoreError) -> Row) throws(StoreError) -> Row? {
    defer { reset() }
    return try step() ? make(self) : nil
  }

  func failure(_ result: SQLiteResultCode) -> StoreError {
    SQLiteError(result, on: handle).storeError
  }

  func check(_ result: Int32) throws(StoreError) {
    guard result == SQLITE_OK else { throw failure(SQLiteResultCode(rawValue: result)) }
  }
}
