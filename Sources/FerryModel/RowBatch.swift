// Ferry: offline-first sync for Parse Server. MIT licence.

/// The records of one page as the columns of a store keep them, without a `Value` for each field.
///
/// Each record has a row of cells: those that `Column` names, then one for each of the entity's fields. All
/// texts lie one behind another in one buffer. `Value` says what a field means; a batch only carries it.
package struct RowBatch: Sendable {
  package enum Kind: UInt8, Sendable { case null, integer, number, text, bytes }

  /// The content of a column; a text or bytes as a range of the batch's buffer.
  package struct Cell: Sendable {
    package let kind: Kind
    /// The length of a text or of bytes.
    package let count: UInt32
    /// The integer, the number's bits, or the place where a text or bytes begin.
    package let bits: UInt64

    package init(kind: Kind, count: Int = 0, bits: UInt64 = 0) {
      self.kind = kind
      self.count = UInt32(truncatingIfNeeded: count)
      self.bits = bits
    }
  }

  /// The columns before those of the fields.
  package enum Column {
    package static let objectID = 0
    package static let acl = 1
    package static let createdAt = 2
    package static let version = 3
    package static let firstField = 4
  }

  /// The number of cells of a row.
  package let width: Int
  package private(set) var rowCount = 0
  /// The rows in which an array, an object or an access control list holds a pointer.
  package private(set) var rowsWithInnerPointers: [Int] = []

  private var cells: [Cell] = []
  private var text: [UInt8] = []
  /// The cells of a row whose record shows no field.
  private let emptyRow: [Cell]
  private var json = WireJSON()

  /// Makes an empty batch.
  ///
  /// - Parameters:
  ///   - emptyValues: The values of fields that a record does not show.
  ///   - rows: The number of rows to make room for.
  ///   - bytes: The length of the texts to make room for.
  package init(emptyValues: [Value], rows: Int = 0, bytes: Int = 0) {
    width = Column.firstField + emptyValues.count
    text.reserveCapacity(bytes)
    cells.reserveCapacity(rows * width)
    var empty = [Cell](repeating: Cell(kind: .null), count: width)
    for (position, value) in emptyValues.enumerated() where !value.isNull {
      let bytes = Array(WireJSON.text(value).utf8)
      empty[Column.firstField + position] = Cell(
        kind: .text, count: bytes.count, bits: UInt64(text.count))
      text += bytes
    }
    emptyRow = empty
  }
}

extension RowBatch {
  // MARK: Filling

  /// Begins a row without values; what follows fills it.
  package mutating func beginRow() {
    cells.append(contentsOf: emptyRow)
    rowCount += 1
  }

  /// Takes the last row back.
  package mutating func dropRow() {
    cells.removeLast(width)
    rowCount -= 1
    if rowsWithInnerPointers.last == rowCount { rowsWithInnerPointers.removeLast() }
  }

  private mutating func set(_ column: Int, _ cell: Cell) {
    cells[cells.count - width + column] = cell
  }

  package mutating func setNull(_ column: Int) { set(column, Cell(kind: .null)) }

  package mutating func set(_ column: Int, integer: Int64) {
    set(column, Cell(kind: .integer, bits: UInt64(bitPattern: integer)))
  }

  package mutating func set(_ column: Int, number: Double) {
    set(column, Cell(kind: .number, bits: number.bitPattern))
  }

  package mutating func set(_ column: Int, text utf8: UnsafeBufferPointer<UInt8>) {
    set(column, Cell(kind: .text, count: utf8.count, bits: UInt64(text.count)))
    text.append(contentsOf: utf8)
  }

  /// Sets a cell to the JSON text that the closure writes; null where it answers false.
  package mutating func set(_ column: Int, json write: (inout WireJSON) -> Bool) -> Bool {
    json.removeAll()
    guard write(&json) else { return false }
    set(column, Cell(kind: .text, count: json.bytes.count, bits: UInt64(text.count)))
    text.append(contentsOf: json.bytes)
    return true
  }

  /// Sets a cell to the column's form of a value.
  package mutating func set(_ column: Int, _ value: Value) {
    switch value {
    case .null: setNull(column)
    case .integer(let whole): set(column, integer: whole)
    case .number(let number): set(column, number: number)
    case .boolean(let flag): set(column, integer: flag ? 1 : 0)
    case .string(let text): set(column, string: text)
    case .date(let time): set(column, string: time.description)
    case .pointer(let pointer): set(column, string: pointer.objectID)
    case .bytes(let bytes):
      set(column, Cell(kind: .bytes, count: bytes.count, bits: UInt64(text.count)))
      text += bytes
    case .object, .array, .geoPoint, .polygon, .file, .relation:
      _ = set(column) { (json: inout WireJSON) in
        json.write(value)
        return true
      }
      noteInnerPointers(of: value)
    }
  }

  private mutating func set(_ column: Int, string: String) {
    set(column, Cell(kind: .text, count: string.utf8.count, bits: UInt64(text.count)))
    text.append(contentsOf: string.utf8)
  }

  private mutating func noteInnerPointers(of value: Value) {
    var hasPointer = false
    value.forEachPointer { _ in hasPointer = true }
    guard hasPointer, rowsWithInnerPointers.last != rowCount - 1 else { return }
    rowsWithInnerPointers.append(rowCount - 1)
  }
}

extension RowBatch {
  // MARK: Reading

  /// The cells of a batch in memory; valid only inside the closure that received it.
  package struct View {
    package let width: Int
    package let cells: UnsafeBufferPointer<Cell>
    package let text: UnsafeBufferPointer<UInt8>

    package func cell(_ row: Int, _ column: Int) -> Cell { cells[row * width + column] }

    /// The bytes of a cell with a text or with bytes.
    package func bytes(_ cell: Cell) -> UnsafeBufferPointer<UInt8> {
      let start = Int(cell.bits)
      return UnsafeBufferPointer(rebasing: text[start..<(start + Int(cell.count))])
    }
  }

  package func read<Result, Failure>(
    _ body: (View) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try cells.withUnsafeBufferPointer { cells throws(Failure) in
      try text.withUnsafeBufferPointer { text throws(Failure) in
        try body(View(width: width, cells: cells, text: text))
      }
    }
  }

  package func objectID(_ row: Int) -> String { read { $0.string($0.cell(row, Column.objectID)) } }
}

extension RowBatch.View {
  package func string(_ cell: RowBatch.Cell) -> String {
    cell.kind == .text ? String(decoding: bytes(cell), as: UTF8.self) : ""
  }

  /// The value that a cell carries for a field of that type.
  package func value(_ cell: RowBatch.Cell, as type: FieldType) -> Value {
    switch cell.kind {
    case .null: .null
    case .integer where type == .boolean: .boolean(cell.bits != 0)
    case .integer: .integer(Int64(bitPattern: cell.bits))
    case .number: .number(Double(bitPattern: cell.bits))
    case .bytes: .bytes(Array(bytes(cell)))
    case .text: value(ofText: string(cell), as: type)
    }
  }

  private func value(ofText text: String, as type: FieldType) -> Value {
    switch type {
    case .date: Timestamp(text).map(Value.date) ?? .string(text)
    case .pointer(let target): .pointer(Pointer(className: target, objectID: text))
    case .object, .array, .geoPoint, .polygon, .file, .relation:
      Value(wireJSON: text) ?? .string(text)
    case .text, .integer, .number, .boolean, .bytes: .string(text)
    }
  }
}
