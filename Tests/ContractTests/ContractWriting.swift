// Ferry: offline-first sync for Parse Server. MIT licence.

import Foundation
import LoopbackParse

extension ContractFile {
  /// Writes the section with its answers and unchanged requests, in one layout.
  func write() throws {
    let text = try LoopbackValue(json: Array(Data(contentsOf: url)))
    guard case .object(var members) = text else { return }
    members["recorded"] = recorded.map(LoopbackValue.string)
    let steps = zip(text["exchanges"]?.array ?? [], exchanges)
    members["exchanges"] = .array(
      steps.map { step, exchange in
        var step = step.object ?? [:]
        step["answer"] = exchange.answer?.value
        return .object(step)
      })
    try Data(ContractLayout.text(of: .object(members)).utf8).write(to: url)
  }
}

/// The layout of sections: members in a fixed order, and short values on one line.
enum ContractLayout {
  private static let width = 120
  private static let order =
    ["section", "server", "recorded", "exchanges", "status"] + ContractExchange.members
  private static let ranks = Dictionary(
    uniqueKeysWithValues: order.enumerated().map { ($1, $0) })

  static func text(of value: LoopbackValue) -> String { layout(value, depth: 0, used: 0) + "\n" }

  private static func layout(_ value: LoopbackValue, depth: Int, used: Int) -> String {
    let line = line(value)
    // The list of exchanges, and each exchange, take several lines even if they are short.
    let isSpread = depth < 2 || (depth == 2 && value["name"] != nil)
    if !isSpread, depth * 2 + used + line.unicodeScalars.count <= width { return line }
    let indent = String(repeating: "  ", count: depth + 1)
    let end = "\n" + String(repeating: "  ", count: depth)
    switch value {
    case .array(let elements) where !elements.isEmpty:
      let lines = elements.map { indent + layout($0, depth: depth + 1, used: 1) }
      return "[\n" + lines.joined(separator: ",\n") + end + "]"
    case .object(let members) where !members.isEmpty:
      let lines = ordered(members).map { name, member in
        let key = "\(LoopbackValue.string(name).text): "
        return indent + key + layout(member, depth: depth + 1, used: key.count + 1)
      }
      return "{\n" + lines.joined(separator: ",\n") + end + "}"
    default: return line
    }
  }

  private static func line(_ value: LoopbackValue) -> String {
    switch value {
    case .array(let elements): "[" + elements.map(line).joined(separator: ", ") + "]"
    case .object(let members):
      "{"
        + ordered(members).map { "\(LoopbackValue.string($0).text): \(line($1))" }
        .joined(separator: ", ") + "}"
    default: value.text
    }
  }

  private static func ordered(
    _ members: [String: LoopbackValue]
  ) -> [(key: String, value: LoopbackValue)] {
    members.sorted { first, second in
      let ranks = (Self.ranks[first.key] ?? .max, Self.ranks[second.key] ?? .max)
      return ranks.0 == ranks.1 ? first.key < second.key : ranks.0 < ranks.1
    }
  }
}
