// Ferry: offline-first sync for Parse Server. MIT licence.

import Foundation

/// Makes a Swift value from a row through its `Codable` conformance.
package enum RecordDecoder {
  /// The entity with the values of the row.
  package static func entity<Entity: SyncEntity>(
    _ type: Entity.Type, from record: Record
  ) throws -> Entity {
    let members = record.fields.values.merging(EntityProperty.readOnly(of: record)) { $1 }
    var entity = try Entity(from: ValueDecoder(.object(members), codingPath: []))
    entity.id = record.localID
    return entity
  }
}

extension Value {
  /// The Swift value of that type; Parse's own types are passed on whole.
  func decode<Decoded: Decodable>(
    _ type: Decoded.Type, _ codingPath: [any CodingKey]
  ) throws -> Decoded {
    let own: Any? =
      switch (self, type) {
      case (_, is Value.Type): self
      case (.date(let time), is Timestamp.Type): time
      case (.date(let time), is Date.Type): time.date
      case (.bytes(let bytes), is Data.Type): Data(bytes)
      case (.pointer(let pointer), is Pointer.Type): pointer
      case (.geoPoint(let point), is GeoPoint.Type): point
      case (.file(let file), is File.Type): file
      case (.string(let text), is URL.Type): URL(string: text)
      default: nil
      }
    if let own = own as? Decoded { return own }
    if Self.isOwn(type) { throw mismatch(type, codingPath) }
    return try Decoded(from: ValueDecoder(self, codingPath: codingPath))
  }

  private static func isOwn(_ type: Any.Type) -> Bool {
    type is Timestamp.Type || type is Date.Type || type is Data.Type || type is Pointer.Type
      || type is GeoPoint.Type || type is File.Type || type is URL.Type
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
