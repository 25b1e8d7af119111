// Ferry: offline-first sync for Parse Server. MIT licence.

/// Reads the type of a field off a value sent for it.
enum TypeInference {
  /// The type a value asks for; nil when it says nothing, as null and `Delete` do.
  static func type(of value: LoopbackValue) throws(Refusal) -> FieldType? {
    switch value {
    case .null: return nil
    case .bool: return .boolean
    case .number: return .number
    case .string: return .string
    case .array: return .array
    case .object(let members):
      if let operation = members["__op"] { return try type(ofOperation: operation, members) }
      if let name = members["__type"] { return try type(ofTyped: name, members) }
      return .object
    }
  }

  private static func type(
    ofTyped name: LoopbackValue, _ members: [String: LoopbackValue]
  ) throws(Refusal) -> FieldType {
    func has(_ key: String) -> Bool { members[key]?.isTruthy ?? false }
    let className = members["className"]?.string
    switch name {
    case "Pointer": if let className, !className.isEmpty { return .pointer(className) }
    case "Relation": if let className, !className.isEmpty { return .relation(className) }
    case "File": if has("name") { return FieldType(name: "File") }
    case "Date": if has("iso") { return .date }
    case "GeoPoint":
      if members["latitude"] ?? .null != .null, members["longitude"] ?? .null != .null {
        return FieldType(name: "GeoPoint")
      }
    case "Bytes": if has("base64") { return FieldType(name: "Bytes") }
    case "Polygon": if has("coordinates") { return FieldType(name: "Polygon") }
    default: break
    }
    throw .parse(111, "This is not a valid \(name.string ?? JSONWriter.text(of: name))")
  }

  private static func type(
    ofOperation operation: LoopbackValue, _ members: [String: LoopbackValue]
  ) throws(Refusal) -> FieldType? {
    switch operation {
    case "Increment": return .number
    case "Delete": return nil
    case "Add", "AddUnique", "Remove": return .array
    case "AddRelation", "RemoveRelation":
      guard let first = members["objects"]?.array?.first else {
        throw .thrown(driverCode: nil, text: "Cannot read properties of undefined")
      }
      return FieldType(name: "Relation", targetClass: first["className"]?.string)
    case "Batch":
      guard let first = members["ops"]?.array?.first else {
        throw .thrown(driverCode: nil, text: "Cannot convert undefined or null to object")
      }
      return try type(of: first)
    default: throw .bare
    }
  }
}
