// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel

// The oracle evaluates filters by a code of its own, so that a mistake in the engine's cannot cancel itself out.
extension Condition {
  /// The fields that it compares.
  var fields: Set<String> {
    switch self {
    case .field(let name, _, _), .oneOf(let name, _), .isNull(let name), .text(let name, _, _),
      .contains(let name, _), .within(let name, _), .among(let name, _, _):
      [name]
    case .all(let conditions), .any(let conditions):
      conditions.reduce(into: []) { $0.formUnion($1.fields) }
    case .not(let condition): condition.fields
    case .unsent: []
    }
  }

  /// Whether it holds; nil where that depends on a field without a value, or on one that is not known.
  func holds(_ content: (String) -> Content?) -> Bool? {
    switch self {
    case .field(let name, let comparison, let value):
      guard let own = content(name), own != .empty else { return nil }
      return own.satisfies(comparison, Content(value) { $0.objectID })
    case .oneOf(let name, let values):
      return Condition.any(values.map { .field(name, .equal, $0) }).holds(content)
    case .isNull(let name): return content(name).map { $0 == .empty }
    case .text(let name, let match, _):
      guard case .text(let own)? = content(name) else { return nil }
      return own.satisfies(match)
    // Neither filters nor queries of worlds have these.
    case .contains, .within, .among, .unsent: return nil
    case .all(let conditions):
      let results = conditions.map { $0.holds(content) }
      return results.contains(false) ? false : results.contains(nil) ? nil : true
    case .any(let conditions):
      let results = conditions.map { $0.holds(content) }
      return results.contains(true) ? true : results.contains(nil) ? nil : false
    case .not(let condition): return condition.holds(content).map { !$0 }
    }
  }

  /// Values around those with which it compares a field, some of them with the number of a write.
  func candidates(for field: String, of type: FieldType, _ stamp: Int) -> [Content] {
    switch self {
    case .field(field, _, let value): Content.candidates(around: value, of: type, stamp)
    case .oneOf(field, let values):
      values.indices.map { Content(values[($0 + stamp) % values.count]) { $0.objectID } }
    case .field, .oneOf, .isNull, .text, .contains, .within, .among, .unsent: []
    case .all(let conditions), .any(let conditions):
      conditions.flatMap { $0.candidates(for: field, of: type, stamp) }
    case .not(let condition): condition.candidates(for: field, of: type, stamp)
    }
  }
}

extension String {
  /// Whether the text matches, byte by byte; no world has a pattern.
  fileprivate func satisfies(_ match: TextMatch) -> Bool? {
    let bytes = Array(utf8)
    switch match {
    case .prefix(let part): return bytes.starts(with: part.utf8)
    case .suffix(let part): return bytes.reversed().starts(with: part.utf8.reversed())
    case .contains(let part):
      let wanted = Array(part.utf8)
      return bytes.indices.contains { bytes[$0...].starts(with: wanted) } || wanted.isEmpty
    case .equals(let text): return bytes == Array(text.utf8)
    case .like: return nil
    }
  }
}

extension Content {
  fileprivate func satisfies(_ comparison: Condition.Comparison, _ other: Content) -> Bool? {
    switch comparison {
    case .equal: return self == other
    case .notEqual: return self != other
    case .lessThan, .lessThanOrEqual, .greaterThan, .greaterThanOrEqual: break
    }
    if case .text(let text) = self, case .text(let second) = other {
      let isLess = text.utf8.lexicographicallyPrecedes(second.utf8)
      let isGreater = second.utf8.lexicographicallyPrecedes(text.utf8)
      return switch comparison {
      case .lessThan: isLess
      case .lessThanOrEqual: !isGreater
      case .greaterThan: isGreater
      default: !isLess
      }
    }
    guard let own = ordinal, let other = other.ordinal else { return nil }
    return switch comparison {
    case .lessThan: own < other
    case .lessThanOrEqual: own <= other
    case .greaterThan: own > other
    default: own >= other
    }
  }

  /// A number that has the value's place among those of its type; nil for values without an order.
  var ordinal: Double? {
    switch self {
    case .number(let number): Double(number)
    case .half(let number): Double(number) + 0.5
    case .fraction(let number): number
    case .date(let date): Double(date.milliseconds)
    default: nil
    }
  }

  fileprivate static func candidates(
    around value: Value, of type: FieldType, _ stamp: Int
  ) -> [Content] {
    switch value {
    case .integer(let number): numbers(around: Double(number), of: type, stamp)
    case .number(let number): numbers(around: number, of: type, stamp)
    case .date(let date):
      [Int64(stamp), -Int64(stamp), 0, 1, -1]
        .map { .date(Timestamp(milliseconds: date.milliseconds + $0)) }
    case .boolean(let flag): [.flag(flag), .flag(!flag)]
    default: [Content(value) { $0.objectID }]
    }
  }

  private static func numbers(
    around number: Double, of type: FieldType, _ stamp: Int
  ) -> [Content] {
    let start = type == .integer ? number.rounded(.down) : number
    return [Double(stamp), -Double(stamp), 0, 1, -1].map { .number(start + $0) }
  }
}
