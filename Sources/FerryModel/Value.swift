// Ferry: offline-first sync for Parse Server. MIT licence.

/// One field's value, in the types that Parse knows.
///
/// Equality is by meaning, not by text: `1` equals `1.0`, objects ignore the order of their keys,
/// files are the same when their names are (the server computes the URL anew on every read).
///
/// ```swift
/// let fields: Fields = ["title": "Final", "score": 3, "playedAt": .date(.now)]
/// ```
public enum Value: Sendable {
  /// No value: the field is absent on the server.
  case null
  /// Text.
  case string(String)
  /// A whole number. Beyond ±2^53 the server would change it, so such values are refused when written.
  case integer(Int64)
  /// A number with a fraction.
  case number(Double)
  /// True or false.
  case boolean(Bool)
  /// An instant, to the millisecond.
  case date(Timestamp)
  /// A reference to a record, which may not exist.
  case pointer(Pointer)
  /// Bytes.
  case bytes([UInt8])
  /// A JSON object, whose values may be any value but a relation.
  case object([String: Value])
  /// A JSON array.
  case array([Value])
  /// A place on earth.
  case geoPoint(GeoPoint)
  /// An area, by its corners.
  case polygon([GeoPoint])
  /// A file kept by the server, by name.
  case file(File)
  /// A set of records that the server keeps beside this one; read only.
  case relation(className: String)

  /// A reference to a record that a store returned.
  public static func pointer(_ reference: RecordReference) -> Value {
    .pointer(Pointer(className: reference.className, objectID: reference.objectID))
  }

  /// Whether there is no value.
  public var isNull: Bool { if case .null = self { true } else { false } }
}
