// Ferry: offline-first sync for Parse Server. MIT licence.

// The server and this device both evaluate a filter, and must agree on every database. So a filter
// excludes what databases decide differently: the order of text, fractions of a millisecond, and
// comparisons with a missing value.
extension Condition {
  /// The reasons why a server may evaluate the condition differently, as sentences; none for a
  /// usable filter.
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
    case .text(let name, _, _):
      return ["\(name) is matched as text, which each server does differently; use only equality."]
    case .contains(let name, _):
      return ["\(name) is searched for an element, which servers compare differently."]
    case .within(let name, _):
      return ["\(name) is compared with an area, and servers compute distances differently."]
    case .among(let name, let query, _):
      return [
        "\(name) is compared with other rows, those of \(query.className), which a filter cannot read."
      ]
    case .unsent:
      return ["It asks for unsent changes, which only this device knows."]
    case .all(let conditions), .any(let conditions):
      guard !conditions.isEmpty else {
        return ["A list of conditions is empty. Leave out what holds no condition."]
      }
      return conditions.flatMap { $0.objections(asFilterOf: entity) }
    case .not(.isNull(let name)):
      return Condition.isNull(name).objections(asFilterOf: entity)
    case .not:
      return [
        "Servers and this device evaluate a negated condition differently for a record "
          + "without the value; only isNull may be negated."
      ]
    }
  }
}

extension Entity {
  fileprivate static let creationTime = "createdAt"

  /// A type that a filter may use, or the reason why the filter may not use the field.
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
    guard !name.contains(".") else {
      return .objection("\(name) is a field of another row, which a filter cannot read.")
    }
    guard let type = field(name)?.type else {
      return .objection(
        "\(name) is not a declared field. The only other field a filter can use is createdAt.")
    }
    switch type {
    case .text, .integer, .number, .boolean, .date, .pointer: return .type(type)
    case .bytes, .object, .array, .geoPoint, .polygon, .file, .relation:
      return .objection(
        "\(name) is of the type \(type.name), which servers compare differently.")
    }
  }

  fileprivate func objections(
    toComparing name: String, _ comparison: Condition.Comparison, with value: Value
  ) -> [String] {
    filterableType(name).objections { type in
      if let objection = type.objection(to: comparison) { return "\(name) \(objection)" }
      let isNumber = type == .integer || type == .number
      guard !value.isNull else { return "\(name) is compared with a missing value; use isNull." }
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
      "cannot be compared by notEqual, which servers also find true for records without a value; "
        + "list the wanted values."
    case (.integer, _), (.number, _), (.date, .greaterThanOrEqual), (.date, .lessThan): nil
    case (.date, _):
      "is a date, and servers may store finer times than they send; use only >= and <."
    case (_, .equal): nil
    case (.text, _):
      "is text, which each database orders differently; use only equality."
    case (.boolean, _), (.pointer, _), (.bytes, _), (.object, _), (.array, _), (.geoPoint, _),
      (.polygon, _), (.file, _), (.relation, _):
      "has no order that all servers share; use only equality."
    }
  }
}

extension Entity {
  /// Whether the class's filter keeps the record, judged by the record's values.
  package func keeps(_ record: Record) -> Bool {
    recordFilter.map { $0.holds(for: record) == true } ?? true
  }
}
