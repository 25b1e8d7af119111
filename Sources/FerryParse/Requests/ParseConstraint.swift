// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel

/// The constraint of a query, as a tree of values.
///
/// Dates are always written as date objects: on MongoDB, a bare text under an operator matches
/// nothing, without an error.
package indirect enum ParseConstraint: Sendable, Equatable {
  package enum Comparison: String, Sendable {
    case lessThan = "$lt"
    case lessThanOrEqual = "$lte"
    case greaterThan = "$gt"
    case greaterThanOrEqual = "$gte"
  }

  case equal(String, Value)
  case compare(String, Comparison, Value)
  case oneOf(String, [Value])
  case exists(String, Bool)
  /// The field has a value.
  case present(String)
  /// The field's text matches a regular expression.
  case matches(String, String)
  /// The field is a geo point in a box.
  case within(String, southWest: GeoPoint, northEast: GeoPoint)
  /// The field is a pointer to a record of a class, for which a constraint holds.
  case leads(String, String, ParseConstraint)
  /// The record is a member of an owner's relation.
  case member(of: Pointer, field: String)
  case all([ParseConstraint])
  case any([ParseConstraint])

  /// The constraint in the form of `where`.
  package var wire: [String: Value] {
    switch self {
    case .equal(let field, let value): [field: value]
    case .compare(let field, let comparison, let value):
      [field: .object([comparison.rawValue: value])]
    case .exists(let field, let exists): [field: ["$exists": .boolean(exists)]]
    case .present(let field): [field: ["$ne": .null]]
    case .matches(let field, let pattern): [field: ["$regex": .string(pattern)]]
    case .within(let field, let corner, let other):
      [field: ["$within": ["$box": .array([.geoPoint(corner), .geoPoint(other)])]]]
    case .leads(let field, let className, let constraint):
      [
        field: [
          "$inQuery": ["className": .string(className), "where": .object(constraint.wire)]
        ]
      ]
    case .member(let owner, let field):
      ["$relatedTo": ["object": .pointer(owner), "key": .string(field)]]
    case .oneOf(let field, let values): Self.oneOf(field, values)
    case .any(let constraints): ["$or": .array(constraints.map { .object($0.wire) })]
    case .all(let constraints): Self.all(constraints.map(\.wire))
    }
  }

  /// `$in` with dates is an internal error on PostgreSQL, so each date gets its own condition.
  private static func oneOf(_ field: String, _ values: [Value]) -> [String: Value] {
    let hasDate = values.contains { if case .date = $0 { true } else { false } }
    guard hasDate else { return [field: ["$in": .array(values)]] }
    return ParseConstraint.any(values.map { .equal(field, $0) }).wire
  }

  /// One object if all parts fit into one, so that a database can use its indexes; otherwise a
  /// list.
  private static func all(_ parts: [[String: Value]]) -> [String: Value] {
    var whole: [String: Value] = [:]
    for part in parts {
      for (name, value) in part {
        guard let merged = merged(whole[name], value) else {
          return ["$and": .array(parts.map(Value.object))]
        }
        whole[name] = merged
      }
    }
    return whole
  }

  /// Two operators on one field as one object; nil if that is impossible.
  ///
  /// PostgreSQL ignores every operator beside `$ne`, and Parse Server adds what `$inQuery` finds to an `$in` beside it.
  private static func merged(_ present: Value?, _ added: Value) -> Value? {
    guard let present else { return added }
    guard case .object(let first) = present, case .object(let second) = added,
      Set(first.keys).union(second.keys).allSatisfy({ $0.hasPrefix("$") }),
      Set(first.keys).isDisjoint(with: second.keys),
      !["$ne", "$inQuery"].contains(where: { first[$0] != nil || second[$0] != nil })
    else { return nil }
    return .object(first.merging(second) { value, _ in value })
  }
}
