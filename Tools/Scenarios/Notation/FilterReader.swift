// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel

// Which records of a class a device keeps: `score >= 10 and title = "Final"`.
extension PhraseReader {
  private static let comparisons: [(sign: String, comparison: Condition.Comparison)] = [
    ("=", .equal), (">=", .greaterThanOrEqual), (">", .greaterThan), ("<=", .lessThanOrEqual),
    ("<", .lessThan),
  ]

  /// Conditions on fields of the class, joined by `and`.
  mutating func filter(of fields: [Field]) throws(ScenarioError) -> Condition {
    let first = try comparison(fields)
    guard try takes("and") else { return first }
    return first && (try filter(of: fields))
  }

  private mutating func fieldName(among fields: [Field]) throws(ScenarioError) -> String {
    let before = self
    let field = try word("a field of the class")
    guard fields.contains(where: { $0.name == field }) || field == "createdAt" else {
      throw before.expected("a field of the class")
    }
    return field
  }

  private mutating func comparison(_ fields: [Field]) throws(ScenarioError) -> Condition {
    let field = try name { reader throws(ScenarioError) in try reader.fieldName(among: fields) }
    for (sign, comparison) in Self.comparisons where try takes(sign: sign) {
      let before = self
      guard case .plain(let plain) = try value() else {
        throw before.expected("a text, a number, a date, true, false or none")
      }
      if case .null = plain.value, comparison == .equal { return .isNull(field) }
      return .field(field, comparison, plain.value)
    }
    throw expected("=, >=, >, <= or <")
  }
}
