// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel

extension Condition {
  /// Checks that the condition is valid for a class.
  ///
  /// - Throws: `StoreError` for a field that is not declared, and for a value that the field cannot
  ///   be compared with. Fields kept as JSON have no order, only equality.
  package func check(for entity: Entity) throws(StoreError) {
    switch self {
    case .field(let name, .equal, let value), .field(let name, .notEqual, let value):
      try entity.checkComparing(name, with: [value])
    case .field(let name, _, let value):
      try entity.checkOrdering(name)
      try entity.checkComparing(name, with: [value])
    case .oneOf(let name, let values): try entity.checkComparing(name, with: values)
    case .isNull(let name): _ = try entity.askableType(name)
    case .all(let conditions), .any(let conditions):
      for condition in conditions { try condition.check(for: entity) }
    case .not(let condition): try condition.check(for: entity)
    }
  }
}

extension SortOrder {
  /// Checks that rows of a class can be sorted this way.
  package func check(for entity: Entity) throws(StoreError) { try entity.checkOrdering(field) }
}

extension Entity {
  /// The type of a declared field, or of a column that every row has and conditions may use.
  package func askableType(_ name: String) throws(StoreError) -> FieldType {
    if let property = RecordProperty(rawValue: name) { return property.type }
    return try declaredField(name).type
  }

  fileprivate func checkOrdering(_ name: String) throws(StoreError) {
    guard try askableType(name).isOrdered else {
      throw StoreError(
        .wrongType,
        "The field \(name) of \(self.name) is kept as JSON and has no order, so nothing was read. "
          + "Ask for equality, or sort by another field.")
    }
  }

  fileprivate func checkComparing(_ name: String, with values: [Value]) throws(StoreError) {
    let type = try askableType(name)
    for value in values where !type.canBeCompared(with: value) {
      throw StoreError(
        .wrongType,
        "The field \(name) of \(self.name) is of the type \(type.name) and cannot be compared "
          + "with a value of another, so nothing was read. Give a value of that type.")
    }
  }
}

extension FieldType {
  /// Whether values of the type have an order; all other types are kept as JSON.
  package var isOrdered: Bool {
    switch self {
    case .text, .integer, .number, .boolean, .date, .pointer, .bytes: true
    case .object, .array, .geoPoint, .polygon, .file, .relation: false
    }
  }

  /// A whole number may be compared with a number that has a fraction.
  fileprivate func canBeCompared(with value: Value) -> Bool {
    switch self {
    case .integer, .number: value.isNull || value.double != nil
    case .text, .boolean, .date, .pointer, .bytes, .object, .array, .geoPoint, .polygon, .file,
      .relation:
      accepts(value)
    }
  }
}
