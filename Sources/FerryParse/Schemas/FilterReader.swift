// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel

/// Reads a class's filter in the form of Parse's `where`: `{"season": 2026, "level": {"$in": ["a",
/// "b"]}, "endedAt": null}`.
struct FilterReader {
  let entity: Entity

  private static let comparisons: [String: Condition.Comparison] = [
    "$eq": .equal, "$lt": .lessThan, "$lte": .lessThanOrEqual, "$gt": .greaterThan,
    "$gte": .greaterThanOrEqual,
  ]

  func condition(_ element: JSONElement, path: [String]) throws -> Condition {
    guard let members = element.object else {
      throw SchemaReadingError(path, "is not an object of conditions")
    }
    if let name = members.duplicateKey {
      throw SchemaReadingError(path + [name], "occurs twice")
    }
    let conditions = try members.map { member in
      try condition(on: member.name, member.value, path: path + [member.name])
    }
    return conditions.count == 1 ? conditions[0] : .all(conditions)
  }

  private func condition(
    on name: String, _ element: JSONElement, path: [String]
  ) throws -> Condition {
    switch name {
    case "$or": return .any(try list(element, path))
    case "$and": return .all(try list(element, path))
    default: break
    }
    if element.isNull { return .isNull(name) }
    if let members = element.object, members.contains(where: { $0.name.hasPrefix("$") }) {
      let conditions = try members.map { member in
        try operation(member.name, on: name, member.value, path: path + [member.name])
      }
      return conditions.count == 1 ? conditions[0] : .all(conditions)
    }
    return .field(name, .equal, try value(of: name, element, path))
  }

  private func list(_ element: JSONElement, _ path: [String]) throws -> [Condition] {
    guard let elements = element.array else { throw SchemaReadingError(path, "is not a list") }
    return try elements.map { try condition($0, path: path) }
  }

  private func operation(
    _ key: String, on name: String, _ element: JSONElement, path: [String]
  ) throws -> Condition {
    if let comparison = Self.comparisons[key] {
      return .field(name, comparison, try value(of: name, element, path))
    }
    switch key {
    case "$in":
      guard let elements = element.array else { throw SchemaReadingError(path, "is not a list") }
      return .oneOf(name, try elements.map { try value(of: name, $0, path) })
    case "$exists":
      guard let exists = element.boolean else {
        throw SchemaReadingError(path, "is neither true nor false")
      }
      return exists ? .not(.isNull(name)) : .isNull(name)
    case "$ne" where element.isNull:
      return .not(.isNull(name))
    default:
      throw SchemaReadingError(
        path,
        "cannot be used in a filter; $eq, $lt, $lte, $gt, $gte, $in, $exists, $or, $and and "
          + "{\"$ne\": null} can")
    }
  }

  private func value(of name: String, _ element: JSONElement, _ path: [String]) throws -> Value {
    let declared: FieldType? = name == "createdAt" ? .date : entity.field(name)?.type
    guard let declared else { throw SchemaReadingError(path, "names a field that is not declared") }
    // A filter may compare a whole number with a number that has a fraction.
    let type = declared == .integer && element.integer == nil ? .number : declared
    guard let value = try type.read(element), !value.isNull else {
      throw SchemaReadingError(
        path, "is compared with a value that is not of type \(type.wireName)")
    }
    return value
  }
}
