// Ferry: offline-first sync for Parse Server. MIT licence.

/// Makes a Swift value from a row through its `Codable` conformance.
package enum RecordDecoder {
  /// The entity with the values of the row.
  package static func entity<Entity: SyncEntity>(
    _ type: Entity.Type, from record: Record
  ) throws -> Entity {
    let members = record.fields.values.merging(EntityProperty.readOnly(of: record)) { $1 }
    var entity = try Entity(from: ValueDecoder(.object(members), in: .record))
    entity.id = record.localID
    return entity
  }
}

extension Value {
  /// The Swift value of that type.
  func decode<Decoded: Decodable>(
    _ type: Decoded.Type, in form: CodedForm, _ codingPath: [any CodingKey]
  ) throws -> Decoded {
    if let whole = form.whole(type, from: self) { return whole }
    if form.isWhole(type) { throw mismatch(type, codingPath) }
    return try Decoded(from: ValueDecoder(self, in: form, codingPath: codingPath))
  }

  func mismatch(_ type: Any.Type, _ codingPath: [any CodingKey]) -> DecodingError {
    let context = DecodingError.Context(
      codingPath: codingPath, debugDescription: "\(WireJSON.text(self)) is not a \(type).")
    return isNull
      ? .valueNotFound(type, context) : .typeMismatch(type, context)
  }

  func integer<Decoded: FixedWidthInteger>(
    _ type: Decoded.Type, _ codingPath: [any CodingKey]
  ) throws -> Decoded {
    let whole: Int64? =
      switch self {
      case .integer(let value): value
      case .number(let value): Int64(exactly: value)
      case .null, .string, .boolean, .date, .pointer, .bytes, .object, .array, .geoPoint,
        .polygon, .file, .relation:
        nil
      }
    guard let value = whole.flatMap(Decoded.init(exactly:)) else {
      throw mismatch(type, codingPath)
    }
    return value
  }
}
