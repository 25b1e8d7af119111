// Ferry: offline-first sync for Parse Server. MIT licence.

import Foundation
import LoopbackParse

/// Replaces what differs from run to run in answers by placeholders.
///
/// A value that an exchange keeps appears by its name from then on, such as `<game>`. Other ids
/// become `<id>`. Other dates become `<date:1>`, `<date:2>` in the order of time within one answer,
/// so equal dates stay equal and later dates stay later.
struct Reduction {
  /// `http://127.0.0.1:` and the port.
  let server: String
  private(set) var kept: [String: String] = [:]

  init(server: String) { self.server = server }

  mutating func keep(_ value: String, as name: String) { kept[name] = value }

  /// Replaces `{{name}}` by kept values and `{{x*1000}}` by a repeated text.
  func filled(_ text: String) throws -> String {
    var result = ""
    var rest = text[...]
    while let start = rest.range(of: "{{"),
      let end = rest[start.upperBound...].range(of: "}}")
    {
      let name = rest[start.upperBound..<end.lowerBound]
      result += rest[..<start.lowerBound]
      let parts = name.split(separator: "*")
      if parts.count == 2, let count = Int(parts[1]) {
        result += String(repeating: String(parts[0]), count: count)
      } else if let value = kept[String(name)] {
        result += value
      } else {
        throw ContractPlayError("Nothing was kept as “\(name)”.")
      }
      rest = rest[end.upperBound...]
    }
    return result + rest
  }

  func filled(_ value: LoopbackValue) throws -> LoopbackValue {
    switch value {
    case .string(let text): .string(try filled(text))
    case .array(let elements): .array(try elements.map(filled))
    case .object(let members):
      .object(
        Dictionary(
          uniqueKeysWithValues: try members.map { (try filled($0), try filled($1)) }))
    default: value
    }
  }

  func answer(_ answer: WireAnswer, to exchange: ContractExchange) -> ContractAnswer {
    var headers: [String: String] = [:]
    let type = answer.headers["content-type"]
    if type != "application/json; charset=utf-8" { headers["Content-Type"] = type }
    headers["Location"] = answer.headers["location"].map(location)
    for name in exchange.show {
      headers[name] = answer.headers[name.lowercased()].map { header(name, $0) } ?? "none"
    }
    var reduced = ContractAnswer(status: answer.status, headers: headers)
    if let json = try? LoopbackValue(json: answer.body) {
      let ranks = exchange.anyDates ? [:] : Self.ranks(of: moments(in: json))
      reduced.body = reduce(json, exchange, ranks)
    } else if !answer.body.isEmpty {
      reduced.body = .string(named(String(decoding: answer.body, as: UTF8.self)))
    }
    return reduced
  }
}

extension Reduction {
  private func reduce(
    _ value: LoopbackValue, _ exchange: ContractExchange, _ ranks: [String: Int],
    under name: String = ""
  ) -> LoopbackValue {
    switch value {
    case .string(let text):
      if exchange.loose.contains(name) { return "<text>" }
      return .string(reduce(text, ranks, isID: name == "objectId"))
    case .array(let elements):
      let reduced = elements.map { reduce($0, exchange, ranks, under: name) }
      guard exchange.unordered.contains(name) else { return .array(reduced) }
      return .array(reduced.sorted { $0.text < $1.text })
    case .object(let members):
      var reduced: [String: LoopbackValue] = [:]
      for (name, member) in members {
        reduced[named(name)] = reduce(member, exchange, ranks, under: name)
      }
      return .object(reduced)
    default: return value
    }
  }

  private func reduce(_ text: String, _ ranks: [String: Int], isID: Bool) -> String {
    let named = named(text)
    guard named == text else { return named }
    if Self.isRecent(text) { return ranks[text].map { "<date:\($0)>" } ?? "<date>" }
    if isID, text.wholeMatch(of: /[A-Za-z0-9]{10}/) != nil { return "<id>" }
    return text
  }

  /// A text with the names of kept values, without the server's address and random digits.
  private func named(_ text: String) -> String {
    var text = text
    for (name, value) in kept.sorted(by: { $0.key < $1.key }) {
      text = text.replacingOccurrences(of: value, with: "<\(name)>")
    }
    text = text.replacingOccurrences(of: server, with: "<server>")
    return text.replacing(/[0-9a-f]{32}/, with: "<hex>")
  }

  private func location(_ text: String) -> String {
    named(text).replacing(/\/[A-Za-z0-9]{10}$/, with: "/<id>")
  }

  private func header(_ name: String, _ text: String) -> String {
    switch name.lowercased() {
    case "x-ratelimit-reset", "retry-after": Double(text) == nil ? text : "<number>"
    case "etag": text.hasPrefix("W/\"") ? "<weak>" : "<strong>"
    case "date": text.hasSuffix(" GMT") ? "<now>" : text
    default: named(text)
    }
  }

  /// The dates of an answer that have no kept name.
  private func moments(in value: LoopbackValue) -> Set<String> {
    switch value {
    case .string(let text): Self.isRecent(text) && named(text) == text ? [text] : []
    case .array(let elements): elements.reduce(into: []) { $0.formUnion(moments(in: $1)) }
    case .object(let members): members.values.reduce(into: []) { $0.formUnion(moments(in: $1)) }
    default: []
    }
  }

  private static func ranks(of moments: Set<String>) -> [String: Int] {
    Dictionary(uniqueKeysWithValues: moments.sorted().enumerated().map { ($1, $0 + 1) })
  }

  /// Whether a text is a date of this run, or the end of a session that began in it.
  private static func isRecent(_ text: String) -> Bool {
    guard text.utf8.count == 24, text.hasSuffix("Z"),
      let moment = try? Date.ISO8601FormatStyle(includingFractionalSeconds: true).parse(text)
    else { return false }
    return (-86_400..<400 * 86_400).contains(moment.timeIntervalSinceNow)
  }
}
