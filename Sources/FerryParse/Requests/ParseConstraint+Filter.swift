// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel

extension Entity {
  /// The class's filter as the server is asked for it; nil where all records are wanted.
  ///
  /// - Throws: `FilterError` for a condition that no schema with a filter passes with.
  package func filterConstraint() throws(FilterError) -> ParseConstraint? {
    guard let recordFilter else { return nil }
    return try ParseConstraint(filter: recordFilter)
  }
}

extension ParseConstraint {
  /// "No value" is asked for as null: MongoDB tells a stored null from an absent field, and
  /// `$exists` asks for the latter.
  init(filter: Condition) throws(FilterError) {
    switch filter {
    case .field(let name, .equal, let value): self = .equal(name, value)
    case .field(let name, let comparison, let value):
      guard let comparison = Comparison(comparison) else { throw FilterError(condition: filter) }
      self = .compare(name, comparison, value)
    case .oneOf(let name, let values): self = Self.among(name, values)
    case .isNull(let name): self = .equal(name, .null)
    case .not(.isNull(let name)): self = .present(name)
    case .not: throw FilterError(condition: filter)
    case .all(let conditions): self = .all(try Self.constraints(conditions))
    case .any(let conditions): self = .any(try Self.constraints(conditions))
    }
  }

  private static func constraints(
    _ conditions: [Condition]
  ) throws(FilterError) -> [ParseConstraint] {
    var constraints: [ParseConstraint] = []
    for condition in conditions { constraints.append(try ParseConstraint(filter: condition)) }
    return constraints
  }

  /// PostgreSQL compares the elements of `$in` as they are written, and pointers are kept as ids.
  private static func among(_ name: String, _ values: [Value]) -> ParseConstraint {
    let hasPointer = values.contains { if case .pointer = $0 { true } else { false } }
    return hasPointer ? .any(values.map { .equal(name, $0) }) : .oneOf(name, values)
  }
}

extension ParseConstraint.Comparison {
  fileprivate init?(_ comparison: Condition.Comparison) {
    switch comparison {
    case .lessThan: self = .lessThan
    case .lessThanOrEqual: self = .lessThanOrEqual
    case .greaterThan: self = .greaterThan
    case .greaterThanOrEqual: self = .greaterThanOrEqual
    case .equal, .notEqual: return nil
    }
  }
}
