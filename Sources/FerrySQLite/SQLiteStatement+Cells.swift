// Ferry: offline-first sync for Parse Server. MIT licence.

import CSQLite
import FerryModel
import FerryStore
import Foundation

// Cells of a batch. The statement reads a text where it lies in the batch, so a caller forgets the
// bindings before the batch goes.
extension SQLiteStatement {
  func bind(_ index: Int32, _ cell: RowBatch.Cell, of batch: RowBatch.View) throws(StoreError) {
    let result =
      switch cell.kind {
      case .null: sqlite3_bind_null(pointer, index)
      case .integer: sqlite3_bind_int64(pointer, index, Int64(bitPattern: cell.bits))
      case .number: sqlite3_bind_double(pointer, index, Double(bitPattern: cell.bits))
      case .text: bindText(index, batch.bytes(cell))
      case .bytes: bindBytes(index, batch.bytes(cell))
      }
    guard result == SQLITE_OK else { throw failure(SQLiteResultCode(rawValue: result)) }
  }

  private func bindText(_ index: Int32, _ bytes: UnsafeBufferPointer<UInt8>) -> Int32 {
    guard let start = bytes.baseAddress, !bytes.isEmpty else {
      return ferry_sqlite_bind_text(pointer, index, "", 0)
    }
    let characters = UnsafeRawPointer(start).assumingMemoryBound(to: CChar.self)
    return sqlite3_bind_text(pointer, index, characters, Int32(bytes.count), nil)
  }

  private func bindBytes(_ index: Int32, _ bytes: UnsafeBufferPointer<UInt8>) -> Int32 {
    guard let start = bytes.baseAddress, !bytes.isEmpty else {
      return sqlite3_bind_zeroblob(pointer, index, 0)
    }
    return sqlite3_bind_blob(pointer, index, start, Int32(bytes.count), nil)
  }

  func forgetBindings() { sqlite3_clear_bindings(pointer) }

  /// Whether a column of the current row has exactly the content of a cell.
  ///
  /// Other contents can mean the same value: another program may have written them in another form.
  func holds(_ cell: RowBatch.Cell, of batch: RowBatch.View, at column: Int) -> Bool {
    let column = Int32(column)
    switch (cell.kind, sqlite3_column_type(pointer, column)) {
    case (.null, SQLITE_NULL): return true
    case (.integer, SQLITE_INTEGER):
      return sqlite3_column_int64(pointer, column) == Int64(bitPattern: cell.bits)
    case (.number, SQLITE_FLOAT):
      return sqlite3_column_double(pointer, column) == Double(bitPattern: cell.bits)
    case (.text, SQLITE_TEXT):
      return batch.bytes(cell).equals(sqlite3_column_text(pointer, column), count(column))
    case (.bytes, SQLITE_BLOB):
      return batch.bytes(cell).equals(sqlite3_column_blob(pointer, column), count(column))
    default: return false
    }
  }

  /// Whether a column that has another content than a cell can mean the same value.
  func mayMeanTheSame(_ cell: RowBatch.Cell, at column: Int, as type: FieldType) -> Bool {
    switch (type, cell.kind, sqlite3_column_type(pointer, Int32(column))) {
    case (_, .null, _), (_, _, SQLITE_NULL): false
    case (.text, .text, SQLITE_TEXT), (.boolean, .integer, SQLITE_INTEGER),
      (.integer, .integer, SQLITE_INTEGER):
      false
    default: true
    }
  }

  /// The length of a text or of bytes, after their address was asked for.
  private func count(_ column: Int32) -> Int { Int(sqlite3_column_bytes(pointer, column)) }
}

extension UnsafeBufferPointer<UInt8> {
  fileprivate func equals(_ other: UnsafeRawPointer?, _ otherCount: Int) -> Bool {
    guard count == otherCount else { return false }
    guard let baseAddress, let other, count > 0 else { return count == 0 }
    return memcmp(baseAddress, other, count) == 0
  }
}
