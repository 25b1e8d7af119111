// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import Foundation

/// The members of each message, as the article about the JSON output lists them.
struct JSONDocumentation {
  struct Member {
    var types: Set<String>
    var mayBeAbsent: Bool
  }

  /// By the name of the message and the path of the member.
  private(set) var messages: [String: [String: Member]] = [:]
  /// The rows of each list of values, by its title and the value; without the value's own cell.
  private(set) var values: [String: [String: [String]]] = [:]

  init() throws {
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../Sources/Ferry/Ferry.docc/json-output.md").standardized
    var title = ""
    var listsValues = false
    for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
      if line.hasPrefix("## ") {
        (title, listsValues) = ("", line == "## The values of members")
      } else if line.hasPrefix("### ") {
        title = String(line.dropFirst(4))
        if !listsValues { messages[title] = [:] }
      } else if !title.isEmpty, line.hasPrefix("| `") {
        let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
        let name = cells[0].replacing("`", with: "")
        if listsValues {
          add(name, cells, to: title)
        } else {
          messages[title]?[name] = Member(
            types: Set(cells[1].components(separatedBy: " or ")),
            mayBeAbsent: cells[2].contains("May be absent"))
        }
      }
    }
  }

  /// Adds a row to a list of values, whose first row is the head of its table.
  private mutating func add(_ value: String, _ cells: [String], to title: String) {
    if values[title] == nil {
      values[title] = [:]
    } else {
      values[title]?[value] = Array(cells.dropFirst())
    }
  }

  /// Compares a printed message with the documentation.
  ///
  /// - Parameters:
  ///   - printed: The message.
  ///   - name: The name of its documentation.
  ///   - seen: Receives the path of each documented member that was met.
  /// - Returns: The differences between message and documentation.
  func faults(
    of printed: [String: Value], as name: String, seen: inout Set<String>
  ) -> [String] {
    guard let members = messages[name] else { return ["\(name) is not documented"] }
    var walk = Walk(members: members)
    var rest = printed
    rest["message_type"] = nil
    walk.visit(.object(rest), at: "")
    seen.formUnion(walk.seen.map { "\(name): \($0)" })
    return walk.faults.map { "\(name): \($0)" }
  }
}

/// The walk through one message.
private struct Walk {
  let members: [String: JSONDocumentation.Member]
  var seen: Set<String> = []
  var faults: [String] = []

  mutating func visit(_ value: Value, at path: String) {
    if let member = members[path] {
      seen.insert(path)
      let (type, isAny) = (value.typeInWords, member.types.contains("any"))
      if !isAny, !member.types.contains(type),
        type != "integer" || !member.types.contains("number")
      {
        faults.append("\(path) is \(type), not \(member.types.sorted())")
      }
      if isAny { return }
    }
    switch value {
    case .array(let elements):
      for element in elements { visit(element, at: path + "[]") }
    case .object(let object):
      let below = path.isEmpty ? "" : path + "."
      let isFree = members.keys.contains { $0.hasPrefix(below + "*") }
      if !isFree { expect(object, below: below) }
      for (key, element) in object { visit(element, at: below + (isFree ? "*" : key)) }
    default:
      if members[path] == nil { faults.append("\(path) is not documented") }
    }
  }

  /// Each member that is always there.
  private mutating func expect(_ object: [String: Value], below: String) {
    for (path, member) in members where path.hasPrefix(below) && !member.mayBeAbsent {
      let name = path.dropFirst(below.count).prefix { $0 != "." && $0 != "[" }
      if object[String(name)] == nil { faults.append("\(below)\(name) is missing") }
    }
  }
}

extension Value {
  fileprivate var typeInWords: String {
    switch self {
    case .null: "null"
    case .string: "text"
    case .boolean: "boolean"
    case .integer: "integer"
    case .number(let number): number == number.rounded() ? "integer" : "number"
    case .array: "list"
    case .object: "object"
    default: "any"
    }
  }
}
