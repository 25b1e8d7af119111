// Ferry: offline-first sync for Parse Server. MIT licence.

import CSQLite
import FerryModel
import Foundation

// Reads columns of the current row. Any program may have written a column, so a read returns a
// value for any content. The serializer refuses a value that does not fit its field.
extension SQLiteStatement {
  func isNull(_ column: Int) -> Bool {
    sqlite3_column_type(pointer, Int32(column)) == SQLITE_NULL
  }

  func integer(_ column: Int) -> Int64 { sqlite3_column_int64(pointer, Int32(column)) }

  func count(_ column: Int) -> Int { Int(integer(column)) }

  /// The column's text; empty for NULL.
  func text(_ column: Int) -> String {
    guard let start = sqlite3_column_text(pointer, Int32(column)) else { return "" }
    let count = Int(sqlite3_column_bytes(pointer, Int32(column)))
    return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
  }

  /// The result of a closure for the bytes of the column's text; they are valid inside the closure only.
  func withText<Result>(_ column: Int, _ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    let start = sqlite3_column_text(pointer, Int32(column))
    let count = Int(sqlite3_column_bytes(pointer, Int32(column)))
    return body(UnsafeBufferPointer(start: start, count: start == nil ? 0 : count))
  }

  /// Whether the column holds exactly this text.
  func isText(_ text: String, at column: Int) -> Bool {
    guard let start = sqlite3_column_text(pointer, Int32(column)) else { return false }
    let count = Int(sqlite3_column_bytes(pointer, Int32(column)))
    guard text.utf8.count == count else { return false }
    var text = text
    return text.withUTF8 { memcmp($0.baseAddress ?? start, start, count) == 0 }
  }

  func optionalText(_ column: Int) -> String? { isNull(column) ? nil : text(column) }

  func localID(_ column: Int) -> LocalID { LocalID(rawValue: integer(column)) }

  /// The column's instant; nil for NULL and for a text that is not an instant.
  func timestamp(_ column: Int) -> Timestamp? {
    guard let start = sqlite3_column_text(pointer, Int32(column)) else { return nil }
    let count = Int(sqlite3_column_bytes(pointer, Int32(column)))
    return Timestamp(utf8: UnsafeBufferPointer(start: start, count: count))
  }

  /// The column's instant, in whatever form of SQLite's own a program wrote it.
  private func sqlTimestamp(_ column: Int) -> Timestamp? {
    guard let start = sqlite3_column_text(pointer, Int32(column)) else { return nil }
    let count = Int(sqlite3_column_bytes(pointer, Int32(column)))
    return Timestamp(sql: UnsafeBufferPointer(start: start, count: count))
  }

  private func bytes(_ column: Int) -> [UInt8] {
    guard let start = sqlite3_column_blob(pointer, Int32(column)) else { return [] }
    let count = Int(sqlite3_column_bytes(pointer, Int32(column)))
    return [UInt8](UnsafeRawBufferPointer(start: start, count: count))
  }

  /// Whether a log column means that the field had no value before an update.
  func meansNoValue(_ column: Int, of type: FieldType) -> Bool {
    let kept = sqlite3_column_type(pointer, Int32(column))
    return type == .bytes ? kept == SQLITE_INTEGER : kept == SQLITE_BLOB
  }

  /// A field's value, from its column's format.
  func value(_ column: Int, as type: FieldType) -> Value {
    switch sqlite3_column_type(pointer, Int32(column)) {
    case SQLITE_NULL: .null
    case SQLITE_INTEGER: number(integer(column), as: type)
    case SQLITE_FLOAT: .number(sqlite3_column_double(pointer, Int32(column)))
    case SQLITE_BLOB: .bytes(bytes(column))
    default: textValue(column, as: type)
    }
  }

  private func number(_ number: Int64, as type: FieldType) -> Value {
    switch type {
    case .boolean: number == 0 ? .boolean(false) : number == 1 ? .boolean(true) : .integer(number)
    case .text, .integer, .number, .date, .pointer, .bytes, .object, .array, .geoPoint, .polygon,
      .file, .relation:
      .integer(number)
    }
  }

  /// Bytes that are no text stay bytes: a repaired text would reach the server as an edit.
  private func textValue(_ column: Int, as type: FieldType) -> Value {
    guard let text = validText(column) else { return .bytes(bytes(column)) }
    return switch type {
    case .date: sqlTimestamp(column).map(Value.date) ?? .string(text)
    case .pointer(let target): .pointer(Pointer(className: target, objectID: text))
    case .object, .array, .geoPoint, .polygon, .file, .relation:
      Value(wireJSON: text) ?? .string(text)
    case .text, .integer, .number, .boolean, .bytes: .string(text)
    }
  }

  /// The column's text; nil if its bytes are not UTF-8.
  private func validText(_ column: Int) -> String? {
    guard let start = sqlite3_column_text(pointer, Int32(column)) else { return nil }
    let count = Int(sqlite3_column_bytes(pointer, Int32(column)))
    return String(validating: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
  }
}
