// Ferry: offline-first sync for Parse Server. MIT licence.

/// The type of a declared field in Parse's terms, and whether a Number is whole.
public enum FieldType: Sendable, Hashable {
  /// String; a TEXT column.
  case text
  /// Number without a fraction; an INTEGER column.
  case integer
  /// Number; a REAL column.
  case number
  /// Boolean; an INTEGER column of 0 and 1.
  case boolean
  /// Date; a TEXT column of `YYYY-MM-DDTHH:MM:SS.mmmZ`.
  case date
  /// Pointer; a TEXT column that always equals the target's `objectId` column.
  case pointer(to: String)
  /// Bytes; a BLOB column.
  case bytes
  /// Object; a TEXT column of JSON.
  case object
  /// Array; a TEXT column of JSON.
  case array
  /// GeoPoint; a TEXT column of JSON.
  case geoPoint
  /// Polygon; a TEXT column of JSON.
  case polygon
  /// File; a TEXT column of JSON with the file's name.
  case file
  /// Relation; a TEXT column of JSON, read only.
  case relation(to: String)

  /// Whether a field of this type can hold the value; every field can hold null.
  public func accepts(_ value: Value) -> Bool {
    switch (self, value) {
    case (_, .null), (.text, .string), (.integer, .integer), (.number, .integer),
      (.number, .number), (.boolean, .boolean), (.date, .date), (.bytes, .bytes),
      (.object, .object), (.array, .array), (.geoPoint, .geoPoint), (.polygon, .polygon),
      (.file, .file):
      true
    case (.integer, .number(let number)): Int64(exactly: number) != nil
    case (.pointer(let target), .pointer(let pointer)): pointer.className == target
    case (.relation(let target), .relation(let className)): className == target
    default: false
    }
  }
}
