// Ferry: offline-first sync for Parse Server. MIT licence.

import CSQLite
import FerryModel
import FerryStore

extension SQLiteStatement {
  /// Binds all parameters in order; nil is NULL.
  func bound(_ values: (any SQLiteBindable)?...) throws(StoreError) -> SQLiteStatement {
    try bound(values)
  }

  func bound(_ values: [(any SQLiteBindable)?]) throws(StoreError) -> SQLiteStatement {
    for (offset, value) in values.enumerated() {
      let index = Int32(offset + 1)
      if let value {
        try value.bind(to: self, at: index)
      } else {
        try bindNull(index)
      }
    }
    return self
  }

  func bindNull(_ index: Int32) throws(StoreError) { try check(sqlite3_bind_null(pointer, index)) }

  func bind(_ index: Int32, _ value: Int64) throws(StoreError) {
    try check(sqlite3_bind_int64(pointer, index, value))
  }

  func bind(_ index: Int32, _ value: Double) throws(StoreError) {
    try check(sqlite3_bind_double(pointer, index, value))
  }

  func bind(_ index: Int32, _ text: String) throws(StoreError) {
    var text = text
    try check(text.withUTF8 { bindText(index, $0) })
  }

  /// Binds UTF-8 as text, and returns SQLite's result.
  private func bindText(_ index: Int32, _ bytes: UnsafeBufferPointer<UInt8>) -> Int32 {
    bytes.withMemoryRebound(to: CChar.self) { characters in
      // An empty buffer may have no address, and SQLite reads a missing address as NULL.
      guard let start = characters.baseAddress else {
        return ferry_sqlite_bind_text(pointer, index, "", 0)
      }
      return ferry_sqlite_bind_text(pointer, index, start, UInt64(characters.count))
    }
  }

  func bind(_ index: Int32, _ bytes: [UInt8]) throws(StoreError) {
    guard !bytes.isEmpty else { return try check(sqlite3_bind_zeroblob(pointer, index, 0)) }
    try check(ferry_sqlite_bind_blob(pointer, index, bytes, UInt64(bytes.count)))
  }

  /// Binds a field's value in its column's format.
  func bind(_ index: Int32, _ value: Value) throws(StoreError) {
    switch value {
    case .null: try bindNull(index)
    case .string(let text): try bind(index, text)
    case .integer(let number): try bind(index, number)
    case .number(let number): try bind(index, number)
    case .boolean(let flag): try bind(index, flag ? 1 : 0 as Int64)
    case .date(let time): try bind(index, time.description)
    case .pointer(let pointer): try bind(index, pointer.objectID)
    case .bytes(let bytes): try bind(index, bytes)
    case .object, .array, .geoPoint, .polygon, .file, .relation:
      var json = WireJSON()
      json.write(value)
      try check(json.bytes.withUnsafeBufferPointer { bindText(index, $0) })
    }
  }

  /// Binds a field's value to the parameter of a column of that type.
  func bind(_ index: Int32, _ value: Value, as type: FieldType) throws(StoreError) {
    // A text that is none was read as bytes. Its column takes no BLOB, and the row keeps what it has.
    if case .bytes(let bytes) = value, type.isText {
      return try check(bytes.withUnsafeBufferPointer { bindText(index, $0) })
    }
    try bind(index, type == .integer ? value.normalized(for: type) : value)
  }
}

extension FieldType {
  /// Whether the column of such a field holds text.
  fileprivate var isText: Bool { TableLayout.columnType(self) == "TEXT" }
}

extension Int64: SQLiteBindable {
  func bind(to statement: SQLiteStatement, at index: Int32) throws(StoreError) {
    try statement.bind(index, self)
  }
}

extension Int: SQLiteBindable {
  func bind(to statement: SQLiteStatement, at index: Int32) throws(StoreError) {
    try statement.bind(index, Int64(self))
  }
}

extension String: SQLiteBindable {
  func bind(to statement: SQLiteStatement, at index: Int32) throws(StoreError) {
    try statement.bind(index, self)
  }
}

extension Value: SQLiteBindable {
  func bind(to statement: SQLiteStatement, at index: Int32) throws(StoreError) {
    try statement.bind(index, self)
  }
}

extension LocalID: SQLiteBindable {
  func bind(to statement: SQLiteStatement, at index: Int32) throws(StoreError) {
    try statement.bind(index, rawValue)
  }
}

extension Timestamp: SQLiteBindable {
  func bind(to statement: SQLiteStatement, at index: Int32) throws(StoreError) {
    try statement.bind(index, description)
  }
}

extension ServerVersion: SQLiteBindable {
  func bind(to statement: SQLiteStatement, at index: Int32) throws(StoreError) {
    try statement.bind(index, rawValue)
  }
}
