// Ferry: offline-first sync for Parse Server. MIT licence.

/// Makes Swift values of rows of SQL, by the names of the columns.
package struct RowDecoder {
  private let columns: [String]

  package init(_ columns: [String]) { self.columns = columns }

  /// The Swift value of a row, from the values of its columns: numbers, texts, bytes and null.
  ///
  /// - Throws: `DecodingError` with the column, and what the type's own initializer throws.
  package func decode<Row: Decodable>(_ type: Row.Type, from values: [Value]) throws -> Row {
    if values.count == 1, CodedForm.columns.isWhole(type) || type == Value.self {
      return try values[0].decode(type, in: .columns, [])
    }
    let members = Dictionary(zip(columns, values), uniquingKeysWith: { first, _ in first })
    return try Row(from: WholeRow(members: members))
  }
}

/// A row: its columns by name, or the value of its one column.
private struct WholeRow: Decoder {
  let members: [String: Value]
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    try ValueDecoder(.object(members), in: .columns).container(keyedBy: type)
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer { try column().unkeyedContainer() }

  func singleValueContainer() throws -> any SingleValueDecodingContainer {
    try column().singleValueContainer()
  }

  private func column() throws -> ValueDecoder {
    guard members.count == 1, let value = members.values.first else {
      throw DecodingError.typeMismatch(
        Value.self,
        .init(
          codingPath: [],
          debugDescription: "The type takes one column, and the row has \(members.count)."))
    }
    return ValueDecoder(value, in: .columns)
  }
}
