// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel

extension Query {
  /// Checks that the query can be carried out, and the fields to read of its rows.
  ///
  /// - Throws: `StoreError` as the check of its condition and of its orders, and for a class that is not registered.
  package func check(in schema: Schema, reading fields: [String] = []) throws(StoreError) {
    try check(for: try schema.registered(className), in: schema, reading: fields)
  }

  /// The same for the query's class, which the caller has at hand.
  package func check(
    for entity: Entity, in schema: Schema, reading fields: [String] = []
  ) throws(StoreError) {
    try checkSize(reading: fields)
    try condition?.check(for: entity, in: schema)
    for part in order { try part.check(for: entity, in: schema) }
    for name in fields { _ = try entity.path(name, in: schema) }
  }
}

extension Condition {
  /// Checks that the condition is valid for a class.
  ///
  /// - Throws: `StoreError` for a field that is not declared, for a value that the field cannot be compared with, and
  ///   for a condition of too many parts. Fields kept as JSON have no order, only equality.
  package func check(for entity: Entity, in schema: Schema) throws(StoreError) {
    try checkSize()
    try checkParts(for: entity, in: schema)
  }

  private func checkParts(for entity: Entity, in schema: Schema) throws(StoreError) {
    switch self {
    case .field(let name, .equal, let value), .field(let name, .notEqual, let value):
      try entity.path(name, in: schema).checkComparing(with: [value])
    case .field(let name, _, let value):
      let path = try entity.path(name, in: schema)
      try path.checkOrdering()
      try path.checkComparing(with: [value])
    case .oneOf(let name, let values):
      try entity.path(name, in: schema).checkComparing(with: values)
    case .isNull(let name): _ = try entity.path(name, in: schema)
    case .text(let name, _, _):
      try entity.path(name, in: schema).check(is: .text, for: "be matched as text")
    case .contains(let name, _):
      try entity.path(name, in: schema).check(is: .array, for: "be searched for an element")
    case .within(let name, _):
      try entity.path(name, in: schema).check(is: .geoPoint, for: "lie in an area")
    case .among(let name, let query, let other):
      try query.check(in: schema)
      let path = try schema.registered(query.className).path(other, in: schema)
      try entity.path(name, in: schema).checkComparing(with: path)
    case .unsent: break
    case .all(let conditions), .any(let conditions):
      for condition in conditions { try condition.checkParts(for: entity, in: schema) }
    case .not(let condition): try condition.checkParts(for: entity, in: schema)
    }
  }
}

extension SortOrder {
  /// Checks that rows of a class can be sorted this way.
  package func check(for entity: Entity, in schema: Schema) throws(StoreError) {
    try entity.path(field, in: schema).checkOrdering()
  }
}

extension Entity {
  /// The type of a declared field, or of a column that every row has and conditions may use.
  package func askableType(_ name: String) throws(StoreError) -> FieldType {
    if let property = RecordProperty(rawValue: name) { return property.type }
    return try declaredField(name).type
  }
}

extension FieldPath {
  /// Checks that the field's values have an order.
  package func checkOrdering() throws(StoreError) {
    guard type.isOrdered else {
      throw StoreError(
        .wrongType,
        "The field \(name) of \(className) is kept as JSON and has no order, so nothing was read. "
          + "Ask for equality, or sort by another field.")
    }
  }

  fileprivate func checkComparing(with values: [Value]) throws(StoreError) {
    for value in values where !type.canBeCompared(with: value) {
      throw StoreError(
        .wrongType,
        "The field \(name) of \(className) is of the type \(type.name) and cannot be compared "
          + "with a value of another, so nothing was read. Give a value of that type.")
    }
  }

  fileprivate func check(is wanted: FieldType, for purpose: String) throws(StoreError) {
    guard type == wanted else {
      throw StoreError(
        .wrongType,
        "The field \(name) of \(className) is of the type \(type.name), so it cannot \(purpose), and nothing was "
          + "read. Name a field of the type \(wanted.name).")
    }
  }

  /// Checks that values of the field may be among those of another.
  fileprivate func checkComparing(with other: FieldPath) throws(StoreError) {
    try checkOrdering()
    try other.checkOrdering()
    guard kind != other.kind else { return }
    throw StoreError(
      .wrongType,
      "The field \(name) of \(className) is of the type \(type.name), and \(other.name) of "
        + "\(other.className) is of the type \(other.type.name), so nothing was read. Compare fields of one type."
    )
  }

  /// The type, alike for all fields whose values can be compared: an object id is a pointer to its own class.
  private var kind: FieldType {
    if name == RecordProperty.objectID.rawValue { return .pointer(to: className) }
    return type == .integer ? .number : type
  }
}

extension FieldType {
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
