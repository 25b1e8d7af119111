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
    if value.isNull { return true }
    switch self {
    case .text: if case .string = value { return true }
    case .integer:
      if case .integer = value { return true }
      if case .number(let number) = value { return Int64(exactly: number) != nil }
    case .number: return value.double != nil
    case .boolean: if case .boolean = value { return true }
    case .date: if case .date = value { return true }
    case .pointer(let target):
      if case .pointer(let pointer) = value { return pointer.className == target }
    case .bytes: if case .bytes = value { return true }
    case .object: if case .object = value { return true }
    case .array: if case .array = value { return true }
    case .geoPoint: if case .geoPoint = value { return true }
    case .polygon: if case .polygon = value { return true }
    case .file: if case .file = value { return true }
    case .relation(let target):
      if case .relation(let className) = value { return className == target }
    }
    return false
  }
}

extension FieldType {
  /// Whether a field of this type can hold a pointer, also one inside an array or an object.
  package var mayHoldPointers: Bool {
    switch self {
    case .pointer, .array, .object: true
    case .text, .integer, .number, .boolean, .date, .bytes, .geoPoint, .polygon, .file, .relation:
      false
    }
  }

  /// Whether values of the type have an order; all other types are kept as JSON.
  package var isOrdered: Bool {
    switch self {
    case .text, .integer, .number, .boolean, .date, .pointer, .bytes: true
    case .object, .array, .geoPoint, .polygon, .file, .relation: false
    }
  }

  /// A field's value before any write: null, or the value of a relation, which follows from its type.
  package var emptyValue: Value {
    if case .relation(let target) = self { .relation(className: target) } else { .null }
  }

  /// Whether fields of this type only show what operations on the server did.
  package var isRelation: Bool { if case .relation = self { true } else { false } }
}
