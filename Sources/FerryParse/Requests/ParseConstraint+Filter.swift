// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel

extension Entity {
  /// The class's filter as a constraint for the server; nil if the class has none.
  ///
  /// - Throws: `FilterError` for a condition that schema validation refuses.
  package func filterConstraint() throws(FilterError) -> ParseConstraint? {
    guard let recordFilter else { return nil }
    return try ParseConstraint(filter: recordFilter)
  }
}

extension ParseConstraint {
  /// A missing value is requested as null: MongoDB distinguishes a stored null from an absent
  /// field, and `$exists` finds only the latter.
  init(filter: Condition) throws(FilterError) {
    switch filter {
    case .field(let name, .equal, let value): self = .equal(name, value)
    case .field(let name, let comparison, let value):
      guard let comparison = Comparison(comparison) else { throw FilterError(condition: filter) }
      self = .compare(name, comparison, value)
    case .oneOf(let name, let values): self = Self.among(name, values)
    case .isNull(let name): self = .equal(name, .null)
    case .not(.isNull(let name)): self = .present(name)
    case .not, .text, .contains, .within, .among, .unsent: throw FilterError(condition: filter)
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

  /// PostgreSQL compares the elements of `$in` literally, and stores pointers as ids.
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
