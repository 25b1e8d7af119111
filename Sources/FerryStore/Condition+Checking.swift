// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel

extension Condition {
  /// Checks that the condition can be asked of a class.
  ///
  /// - Throws: `StoreError` for a field that is not declared, and for a value that the field
  ///   cannot be compared with. Fields kept as JSON can only be asked whether they have a value.
  package func check(for entity: Entity) throws {
    switch self {
    case .field(let name, _, let value): try entity.checkComparing(name, with: [value])
    case .oneOf(let name, let values): try entity.checkComparing(name, with: values)
    case .isNull(let name): if name != "objectId" { _ = try entity.declaredField(name) }
    case .all(let conditions), .any(let conditions):
      for condition in conditions { try condition.check(for: entity) }
    case .not(let condition): try condition.check(for: entity)
    }
  }
}

extension SortOrder {
  /// Checks that rows of a class can be sorted so.
  package func check(for entity: Entity) throws {
    if ["localId", "objectId", "createdAt"].contains(field) { return }
    let type = try entity.declaredField(field).type
    guard !type.isOrdered else { return }
    throw StoreError(
      .wrongType,
      "Rows of \(entity.name) cannot be sorted by \(field), which is kept as JSON; "
        + "sort by another field.")
  }
}

extension Entity {
  fileprivate func checkComparing(_ name: String, with values: [Value]) throws {
    let type = name == "objectId" ? .text : try declaredField(name).type
    guard type.isOrdered else {
      throw StoreError(
        .wrongType,
        "The field \(name) of \(self.name) is kept as JSON and cannot be compared; "
          + "ask only whether it has a value, and compare the rows that are read.")
    }
    for value in values where !type.canBeCompared(with: value) {
      throw StoreError(
        .wrongType,
        "The field \(name) of \(self.name) is of the type \(type.name) and cannot be compared "
          + "with a value of another; give a value of that type.")
    }
  }
}

extension FieldType {
  /// Whether values of the type have an order; the others are kept as JSON.
  fileprivate var isOrdered: Bool {
    switch self {
    case .text, .integer, .number, .boolean, .date, .pointer, .bytes: true
    case .object, .array, .geoPoint, .polygon, .file, .relation: false
    }
  }

  /// A whole number may be compared with one that has a fraction.
  fileprivate func canBeCompared(with value: Value) -> Bool {
    switch (self, value) {
    case (.integer, .number), (.number, .integer): true
    default: accepts(value)
    }
  }
}
