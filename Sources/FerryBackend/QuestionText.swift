// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import Foundation

/// The text of a query, the same for equal queries in each process.
enum QuestionText {
  static func text(of query: Query, reading fields: [String] = []) -> String {
    var parts = [query.className]
    if let condition = query.condition { parts.append("where \(text(of: condition))") }
    let order = query.order.map { ($0.descending ? "-" : "") + quoted($0.field) }
    if !order.isEmpty { parts.append("order \(order.joined(separator: ","))") }
    if let limit = query.limit { parts.append("limit \(limit)") }
    if query.offset != 0 { parts.append("offset \(query.offset)") }
    // Only fields behind pointers make a difference to what is asked for.
    let paths = Set(fields.filter { $0.contains(".") }).sorted().map(quoted)
    if !paths.isEmpty { parts.append("reading \(paths.joined(separator: ","))") }
    return parts.joined(separator: " ")
  }

  private static func text(of condition: Condition) -> String {
    switch condition {
    case .field(let name, let comparison, let value):
      "\(quoted(name)) \(word(comparison)) \(text(of: value))"
    case .oneOf(let name, let values):
      "\(quoted(name)) in [\(values.map(text).joined(separator: ","))]"
    case .isNull(let name): "\(quoted(name)) is null"
    case .text(let name, let match, let options):
      "\(quoted(name)) \(text(of: match)) \(options.rawValue)"
    case .contains(let name, let value): "\(quoted(name)) contains \(text(of: value))"
    case .within(let name, let area): "\(quoted(name)) within \(text(of: area))"
    case .among(let name, let query, let other):
      "\(quoted(name)) among \(quoted(other)) of (\(text(of: query)))"
    case .unsent(let states):
      "unsent [\(states.map(\.rawValue).sorted().joined(separator: ","))]"
    case .all(let parts): "all(\(parts.map(text).joined(separator: ";")))"
    case .any(let parts): "any(\(parts.map(text).joined(separator: ";")))"
    case .not(let part): "not(\(text(of: part)))"
    }
  }

  private static func word(_ comparison: Condition.Comparison) -> String {
    switch comparison {
    case .equal: "="
    case .notEqual: "!="
    case .lessThan: "<"
    case .lessThanOrEqual: "<="
    case .greaterThan: ">"
    case .greaterThanOrEqual: ">="
    }
  }

  private static func text(of match: TextMatch) -> String {
    switch match {
    case .prefix(let text): "prefix \(quoted(text))"
    case .suffix(let text): "suffix \(quoted(text))"
    case .contains(let text): "part \(quoted(text))"
    case .equals(let text): "equals \(quoted(text))"
    case .like(let text): "like \(quoted(text))"
    }
  }

  private static func text(of area: GeoArea) -> String {
    switch area {
    case .circle(let centre, let kilometres):
      "circle \(centre.latitude) \(centre.longitude) \(kilometres)"
    case .box(let corner, let other):
      "box \(corner.latitude) \(corner.longitude) \(other.latitude) \(other.longitude)"
    }
  }

  private static func quoted(_ text: String) -> String { self.text(of: .string(text)) }

  private static func text(of value: Value) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    // A value that has no JSON has a description.
    return (try? encoder.encode(value)).map { String(decoding: $0, as: UTF8.self) } ?? "\(value)"
  }
}
