// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry

extension FieldType {
  /// The type of a property; nil for a relation, which nobody can write.
  var swiftProperty: String? {
    switch self {
    case .text: "String"
    case .integer: "Int"
    case .number: "Double"
    case .boolean: "Bool"
    case .date: "Date"
    case .pointer: "Pointer"
    case .bytes: "Data"
    case .object: "[String: Value]"
    case .array: "[Value]"
    case .geoPoint: "GeoPoint"
    case .polygon: "Value"
    case .file: "File"
    case .relation: nil
    }
  }

  /// The type as Swift code, where Swift expects a `FieldType`.
  var swiftCode: String {
    switch self {
    case .text: ".text"
    case .integer: ".integer"
    case .number: ".number"
    case .boolean: ".boolean"
    case .date: ".date"
    case .pointer(let target): ".pointer(to: \(target.swiftCode))"
    case .bytes: ".bytes"
    case .object: ".object"
    case .array: ".array"
    case .geoPoint: ".geoPoint"
    case .polygon: ".polygon"
    case .file: ".file"
    case .relation(let target): ".relation(to: \(target.swiftCode))"
    }
  }

  /// The type on the server, for a comment.
  var serverWords: String {
    switch self {
    case .text: "String"
    case .integer: "Number without a fraction"
    case .number: "Number"
    case .boolean: "Boolean"
    case .date: "Date, to the millisecond"
    case .pointer(let target): "Pointer to `\(target)`"
    case .bytes: "Bytes"
    case .object: "Object"
    case .array: "Array"
    case .geoPoint: "GeoPoint"
    case .polygon: "Polygon, as a `Value.polygon`"
    case .file: "File, as its name and address"
    case .relation(let target): "Relation to `\(target)`"
    }
  }
}
