// Ferry: offline-first sync for Parse Server. MIT licence.

/// The value of one field, in the types of Parse.
///
/// Two values are equal if they mean the same. `1` equals `1.0`, objects ignore the order of their
/// keys, and files are equal if their names are, because the server computes the URL anew for every
/// read.
///
/// ```swift
/// let fields: Fields = ["title": "Final", "score": 3, "playedAt": .date(.now)]
/// ```
public enum Value: Sendable {
  /// No value: the field is absent on the server.
  case null
  /// Text.
  case string(String)
  /// A whole number. The server would change a number beyond ±2^53, so a store refuses it.
  case integer(Int64)
  /// A number with a fraction.
  case number(Double)
  /// True or false.
  case boolean(Bool)
  /// An instant, to the millisecond.
  case date(Timestamp)
  /// A reference to a record, which need not exist.
  case pointer(Pointer)
  /// Bytes.
  case bytes([UInt8])
  /// A JSON object with any values except relations.
  case object([String: Value])
  /// A JSON array.
  case array([Value])
  /// A place on earth.
  case geoPoint(GeoPoint)
  /// An area, by its corners.
  case polygon([GeoPoint])
  /// A file that the server keeps, by name.
  case file(File)
  /// A set of records that the server keeps for this record; read only.
  case relation(className: String)

  /// A reference to a row that a store returned.
  public static func pointer(_ reference: RecordReference) -> Value {
    .pointer(reference.pointer)
  }

  /// Whether there is no value.
  public var isNull: Bool { if case .null = self { true } else { false } }
}
