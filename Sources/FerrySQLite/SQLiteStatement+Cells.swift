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
      case .text: bindText(index, batch.content(of: cell))
      case .bytes: bindBytes(index, batch.content(of: cell))
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
  func holds(_ cell: RowBatch.Cell, of batch: RowBatch.View, at column: Int) -> Bool {
    StoredCell(pointer, column).holds(cell, of: batch)
  }

  /// Whether a column of the current row means the same as a cell.
  func means(
    _ cell: RowBatch.Cell, of batch: RowBatch.View, at column: Int, as type: FieldType
  ) -> Bool {
    let stored = StoredCell(pointer, column)
    if stored.holds(cell, of: batch) { return true }
    guard stored.mayMean(cell, of: batch, as: type) else { return false }
    return value(column, as: type) == batch.value(cell, as: type)
  }
}

/// A column of a statement's current row, beside a cell of a batch.
///
/// SQLite reads the column once. A text is compared where it lies on SQLite's page: to ask for it as a text would copy
/// it, because SQLite puts a zero behind it. Only the thread that has the connection may use it.
private struct StoredCell {
  private let value: OpaquePointer?
  private let kind: Int32

  init(_ statement: OpaquePointer, _ column: Int) {
    value = sqlite3_column_value(statement, Int32(column))
    kind = sqlite3_value_type(value)
  }

  /// Whether it has exactly the content of a cell.
  ///
  /// Other contents can mean the same value: another program may have written them in another form.
  func holds(_ cell: RowBatch.Cell, of batch: RowBatch.View) -> Bool {
    switch (cell.kind, kind) {
    case (.null, SQLITE_NULL): return true
    case (.integer, SQLITE_INTEGER):
      return sqlite3_value_int64(value) == Int64(bitPattern: cell.bits)
    case (.number, SQLITE_FLOAT):
      return sqlite3_value_double(value) == Double(bitPattern: cell.bits)
    case (.text, SQLITE_TEXT), (.bytes, SQLITE_BLOB):
      let bytes = batch.content(of: cell)
      let content = self.content
      guard bytes.count == content.count else { return false }
      guard let start = bytes.baseAddress, let other = content.baseAddress, !bytes.isEmpty else {
        return bytes.isEmpty
      }
      return memcmp(start, other, bytes.count) == 0
    default: return false
    }
  }

  /// Whether it can mean the value of a cell that has another content.
  func mayMean(_ cell: RowBatch.Cell, of batch: RowBatch.View, as type: FieldType) -> Bool {
    switch (type, cell.kind, kind) {
    case (_, .null, _), (_, _, SQLITE_NULL): false
    case (.text, .text, SQLITE_TEXT), (.boolean, .integer, SQLITE_INTEGER),
      (.integer, .integer, SQLITE_INTEGER), (.number, .number, SQLITE_FLOAT):
      false
    case (.date, .text, SQLITE_TEXT):
      Timestamp(utf8: content) == nil || Timestamp(utf8: batch.content(of: cell)) == nil
    case (.array, .text, SQLITE_TEXT):
      !PlainArrayText.isOne(content) || !PlainArrayText.isOne(batch.content(of: cell))
    default: true
    }
  }

  /// The bytes of a text or a BLOB.
  private var content: UnsafeBufferPointer<UInt8> {
    // A text in UTF-16 becomes UTF-8 by the question for its length.
    let count = Int(sqlite3_value_bytes(value))
    let start = sqlite3_value_blob(value)?.assumingMemoryBound(to: UInt8.self)
    return UnsafeBufferPointer(start: start, count: start == nil ? 0 : count)
  }
}

extension RowBatch.View {
  /// The bytes of a cell; the same as `bytes`, which the compiler cannot put in the caller's place.
  fileprivate func content(of cell: RowBatch.Cell) -> UnsafeBufferPointer<UInt8> {
    let start = text.baseAddress.map { $0 + Int(cell.bits) }
    return UnsafeBufferPointer(start: start, count: start == nil ? 0 : Int(cell.count))
  }
}
