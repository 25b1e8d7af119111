// Ferry: offline-first sync for Parse Server. MIT licence.

/// The type of a declared field, as Parse names it, and what a Number is here.
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

  /// Whether a value may stand in a field of this type; null always may.
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

/// A declared field of a class.
public struct Field: Sendable, Equatable {
  /// The field's name on the server and, unless told otherwise, its column's.
  public var name: String
  /// The field's type.
  public var type: FieldType
  /// The column's name here.
  public var column: String
  /// What a row inserted here has when nothing is given; null for none.
  public var defaultValue: Value

  /// Declares a field.
  ///
  /// - Parameters:
  ///   - name: The name on the server.
  ///   - type: The type on the server, and for a Number whether it is whole.
  ///   - column: The column's name here, when it has to differ from the field's.
  ///   - default: What a row inserted here has when nothing is given.
  public init(
    _ name: String, _ type: FieldType, column: String? = nil, default: Value = .null
  ) {
    self.name = name
    self.type = type
    self.column = column ?? name
    defaultValue = `default`
  }
}
