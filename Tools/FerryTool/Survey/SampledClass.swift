// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry

/// A class as some of its rows show it.
struct SampledClass {
  var entity: Entity
  /// Fields that have no value, or values of different types.
  var untyped: [String]

  /// Infers the types of the fields; fields come in the order of their names.
  init(_ name: String, rows: [[String: Value]]) {
    var types: [String: Set<FieldType>] = [:]
    for row in rows {
      for (field, value) in row where !Self.undeclared.contains(field) {
        types[field, default: []].formUnion(FieldType(shownBy: value).map { [$0] } ?? [])
      }
    }
    let fields = types.keys.sorted().compactMap { field -> Field? in
      guard let found = types[field], found.count == 1, let type = found.first else { return nil }
      return Field(field, type)
    }
    entity = Entity(name, fields: fields)
    untyped = types.filter { $0.value.count != 1 }.keys.sorted()
  }

  /// The fields that every record has without a declaration.
  private static let undeclared: Set<String> = ["objectId", "createdAt", "updatedAt", "ACL"]
}

extension FieldType {
  /// The type of a field that holds the value; nil when the value does not show it.
  fileprivate init?(shownBy value: Value) {
    switch value {
    case .null: return nil
    case .string: self = .text
    // Whole so far; that it stays so is for a person to say.
    case .integer, .number: self = .number
    case .boolean: self = .boolean
    case .date: self = .date
    case .pointer(let pointer): self = .pointer(to: pointer.className)
    case .bytes: self = .bytes
    case .array: self = .array
    case .geoPoint: self = .geoPoint
    case .polygon: self = .polygon
    case .file: self = .file
    case .relation(let className): self = .relation(to: className)
    case .object(let members):
      guard case .string("Relation")? = members["__type"] else {
        self = .object
        return
      }
      guard case .string(let className)? = members["className"] else { return nil }
      self = .relation(to: className)
    }
  }
}
