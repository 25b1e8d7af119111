// Ferry: offline-first sync for Parse Server. MIT licence.

public import FerryModel

extension FieldType {
  /// The type's name in Parse's schemas and in `ferry.json`: for example `String`, `Number` or
  /// `Pointer`, without the class it leads to.
  public var wireName: String {
    switch self {
    case .text: "String"
    case .integer, .number: "Number"
    case .boolean: "Boolean"
    case .date: "Date"
    case .pointer: "Pointer"
    case .bytes: "Bytes"
    case .object: "Object"
    case .array: "Array"
    case .geoPoint: "GeoPoint"
    case .polygon: "Polygon"
    case .file: "File"
    case .relation: "Relation"
    }
  }
}
