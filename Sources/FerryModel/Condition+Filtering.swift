// Ferry: offline-first sync for Parse Server. MIT licence.

// A filter is decided twice, by the server and here, and both have to agree on every database. What a
// database orders by its collation, cuts to a millisecond, or finds in an absent value is left out.
extension Condition {
  /// Why servers may decide the condition otherwise than this device, as sentences; none for a filter.
  func objections(asFilterOf entity: Entity) -> [String] {
    switch self {
    case .field(let name, let comparison, let value):
      return entity.objections(toComparing: name, comparison, with: value)
    case .oneOf(let name, let values):
      guard !values.isEmpty else { return ["\(name) is compared with an empty list."] }
      let objections = values.flatMap { entity.objections(toComparing: name, .equal, with: $0) }
      return objections.first.map { [$0] } ?? []
    case .isNull(let name):
      return entity.filterableType(name).objections { type in
        name == Entity.creationTime ? "createdAt always has a value." : nil
      }
    case .all(let conditions), .any(let conditions):
      guard !conditions.isEmpty else { return ["A list of conditions is empty."] }
      return conditions.flatMap { $0.objections(asFilterOf: entity) }
    case .not(.isNull(let name)):
      return Condition.isNull(name).objections(asFilterOf: entity)
    case .not:
      return [
        "Servers and this device do not agree on what a negated condition means for a record "
          + "without the value; only isNull may be negated."
      ]
    }
  }
}

extension Entity {
  fileprivate static let creationTime = "createdAt"

  /// A type that a filter may ask about, or why there is none.
  fileprivate enum Filterable {
    case type(FieldType)
    case objection(String)

    func objections(_ find: (FieldType) -> String?) -> [String] {
      switch self {
      case .type(let type): find(type).map { [$0] } ?? []
      case .objection(let sentence): [sentence]
      }
    }
  }

  fileprivate func filterableType(_ name: String) -> Filterable {
    if name == Self.creationTime { return .type(.date) }
    guard let type = field(name)?.type else {
      return .objection(
        "\(name) is no declared field, and of the others only createdAt can be used.")
    }
    switch type {
    case .text, .integer, .number, .boolean, .date, .pointer: return .type(type)
    case .bytes, .object, .array, .geoPoint, .polygon, .file, .relation:
      return .objection(
        "\(name) is of the type \(type.name), which servers compare each in its way.")
    }
  }

  fileprivate func objections(
    toComparing name: String, _ comparison: Condition.Comparison, with value: Value
  ) -> [String] {
    filterableType(name).objections { type in
      if let objection = type.objection(to: comparison) { return "\(name) \(objection)" }
      let isNumber = type == .integer || type == .number
      guard !value.isNull else { return "\(name) is compared with no value; use isNull for that." }
      let refusal = value.reason(againstWritingTo: isNumber ? .number : type)
      guard let refusal else { return nil }
      return "\(name) is compared with a value it cannot have: \(refusal.sentence)"
    }
  }
}

extension FieldType {
  fileprivate func objection(to comparison: Condition.Comparison) -> String? {
    switch (self, comparison) {
    case (_, .notEqual):
      "is compared by notEqual, which servers also find true of records without the value; list the "
        + "values wanted."
    case (.integer, _), (.number, _), (.date, .greaterThanOrEqual), (.date, .lessThan): nil
    case (.date, _):
      "is a date, and servers may keep finer times than they show; use >= and < only."
    case (_, .equal): nil
    case (.text, _):
      "is text, which every database orders in its own way; only equality can be used."
    case (.boolean, _), (.pointer, _), (.bytes, _), (.object, _), (.array, _), (.geoPoint, _),
      (.polygon, _), (.file, _), (.relation, _):
      "has no order that servers share; only equality can be used."
    }
  }
}

extension Entity {
  /// Whether a record belongs to those kept here, as far as its values tell.
  package func keeps(_ record: Record) -> Bool {
    recordFilter.map { $0.holds(for: record) == true } ?? true
  }
}
