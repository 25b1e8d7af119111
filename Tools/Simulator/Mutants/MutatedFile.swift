// Ferry: offline-first sync for Parse Server. MIT licence.

import Foundation

/// A source file with its mutants; each line stays where it is, so that the compiler's complaints name mutants.
struct MutatedFile {
  private let file: String
  private var lines: [String]
  private let refused: Set<String>
  private(set) var nextNumber: Int
  private(set) var mutants: [Mutant] = []

  init(_ file: String, _ text: String, from number: Int, refusing refused: Set<String>) {
    self.file = file
    lines = text.components(separatedBy: "\n")
    self.refused = refused
    nextNumber = number
  }

  /// The text with all mutants.
  var text: String { lines.joined(separator: "\n").importingModel() }

  mutating func mutate() {
    // An initializer must set each property, so no statement of it is left out.
    var endOfInitializer: String?
    for index in lines.indices {
      let code = lines[index].trimmingCharacters(in: .whitespaces)
      let indentation = lines[index].prefix { $0 == " " }
      if code.contains(/^(?:package |public |private |fileprivate )?init[?(<]/) {
        endOfInitializer = "\(indentation)}"
      }
      if lines[index] == endOfInitializer { endOfInitializer = nil }
      guard !code.isEmpty, !code.hasPrefix("//"), !code.contains("\"") else { continue }
      if mutateConditions(index, code) { continue }
      if endOfInitializer == nil, mutateStatement(index, code) { continue }
      mutateComparison(index, code)
    }
  }

  /// The clauses of an `if` or `guard` on one line, each without a binding.
  private mutating func mutateConditions(_ index: Int, _ code: String) -> Bool {
    guard
      let match = code.wholeMatch(
        of: /((?:\} else )?if |guard |while )(.+?)( else \{.*| \{.*| else)/)
    else { return false }
    let clauses = String(match.2).split(outsideOfBrackets: ",")
    let changed = clauses.map { clause in
      let condition = clause.trimmingCharacters(in: .whitespaces)
      guard !["let ", "var ", "case ", "#", "try "].contains(where: condition.hasPrefix),
        condition.hasBalancedBrackets, !condition.isEmpty
      else { return clause }
      let first = nextNumber
      guard note(.alwaysTrue, index, condition) else {
        nextNumber += 1
        return clause
      }
      _ = note(.neverTrue, index, condition)
      return " MutantSwitch.condition(\(first), \(condition))"
    }
    let conditions = changed.joined(separator: ",").trimmingCharacters(in: .whitespaces)
    replace(code, with: match.1 + conditions + match.3, at: index)
    return true
  }

  /// A call or an assignment on a line of its own.
  private mutating func mutateStatement(_ index: Int, _ code: String) -> Bool {
    let keywords = [
      "return", "let ", "var ", "case ", "else", "throw", "defer", "break", "continue", "switch ",
      "for ", "self.init", "init", "package ", "private ", "public ", "static ", "func ",
      "mutating ",
    ]
    guard !keywords.contains(where: code.hasPrefix), code.hasBalancedBrackets, !goesOn(index),
      code.wholeMatch(
        of: /(?:_ = )?(?:try )?[a-zA-Z_][\w.!?\[\]]*(?:\(.*\)|(?: =| \+=| -=) .*[^,{(\[])/) != nil
    else { return false }
    let number = nextNumber
    if note(.dropped, index, code) {
      replace(code, with: "if !MutantSwitch.isOn(\(number)) { \(code) }", at: index)
    }
    return true
  }

  /// Whether the next line belongs to the same statement.
  private func goesOn(_ index: Int) -> Bool {
    guard index + 1 < lines.count else { return false }
    let next = lines[index + 1].trimmingCharacters(in: .whitespaces)
    return [".", "?", ":", "&&", "||", "+ ", "- "].contains { next.hasPrefix($0) }
  }

  /// The first comparison of two plain operands.
  private mutating func mutateComparison(_ index: Int, _ code: String) {
    guard
      let match = code.firstMatch(
        of: /(?:^|[ (\[{])([\w.$]+) (==|!=|<|>|<=|>=) (\.?[\w.$]+)(?=[ ,)\]}]|$)/),
      let other = Self.others[String(match.2)]
    else { return }
    let number = nextNumber
    let comparison = "\(match.1) \(match.2) \(match.3)"
    guard note(.otherComparison, index, comparison) else { return }
    let changed =
      "MutantSwitch.choice(\(number), \(comparison), \(match.1) \(other) \(match.3))"
    replace(comparison, with: changed, at: index)
  }

  private static let others = [
    "==": "!=", "!=": "==", "<": "<=", "<=": "<", ">": ">=", ">=": ">",
  ]

  /// Takes note of a mutant, unless the compiler refuses its line; each has its number in either case.
  private mutating func note(_ kind: Mutant.Kind, _ index: Int, _ code: String) -> Bool {
    defer { nextNumber += 1 }
    guard !refused.contains("\(file):\(index + 1)") else { return false }
    mutants.append(
      Mutant(number: nextNumber, kind: kind, file: file, line: index + 1, code: code))
    return true
  }

  private mutating func replace(_ code: String, with other: String, at index: Int) {
    lines[index] = lines[index].replacing(code, with: other, maxReplacements: 1)
  }
}

extension String {
  /// Whether each bracket has its partner, in order.
  fileprivate var hasBalancedBrackets: Bool {
    var open: [Character] = []
    let partners: [Character: Character] = [")": "(", "]": "[", "}": "{"]
    for character in self {
      if "([{".contains(character) { open.append(character) }
      if let partner = partners[character], open.popLast() != partner { return false }
    }
    return open.isEmpty
  }

  /// The parts between a character, where no bracket is open.
  fileprivate func split(outsideOfBrackets separator: Character) -> [String] {
    var depth = 0
    var parts = [""]
    for character in self {
      if "([{".contains(character) { depth += 1 }
      if ")]}".contains(character) { depth -= 1 }
      if character == separator, depth == 0 {
        parts.append("")
      } else {
        parts[parts.count - 1].append(character)
      }
    }
    return parts
  }
}
