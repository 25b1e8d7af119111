// Ferry: offline-first sync for Parse Server. MIT licence.

import Foundation

/// A regular expression of a query.
///
/// A pattern for the beginning of a text, which clients use most, needs no regular expression engine.
struct TextPattern {
  private enum Form {
    case prefix(String)
    case expression(NSRegularExpression)
  }
  private let form: Form

  init(_ pattern: String, options: String) throws(Refusal) {
    if options.isEmpty, pattern.hasPrefix("^"), Self.isLiteral(pattern.dropFirst()) {
      form = .prefix(String(pattern.dropFirst()))
      return
    }
    // In PostgreSQL a dot takes the end of a line too, and only the whole text has a beginning and an end,
    // whatever the options say.
    var flags: NSRegularExpression.Options = [.dotMatchesLineSeparators]
    if options.contains("i") { flags.insert(.caseInsensitive) }
    let pattern = options.contains("x") ? Self.withoutSpace(pattern) : pattern
    guard let expression = try? NSRegularExpression(pattern: pattern, options: flags) else {
      throw .queryFailed
    }
    form = .expression(expression)
  }

  /// Refuses a pattern or options that are none, before any row or field is looked at.
  static func check(_ operators: LoopbackValue) throws(Refusal) {
    guard let pattern = operators["$regex"] else { return }
    guard pattern.string != nil else { throw .parse(102, "$regex value must be a string") }
    guard let options = operators["$options"] else { return }
    guard let letters = options.string else {
      throw .parse(102, "$options value must be a string")
    }
    guard !letters.isEmpty, letters.allSatisfy("imxsu".contains) else {
      throw .parse(102, "Bad $options value for query: \(letters)")
    }
  }

  /// A pattern as the server reads it with the option `x`: without comments, and without space that no `\` guards.
  private static func withoutSpace(_ pattern: String) -> String {
    (pattern.hasSuffix("\n") ? pattern : pattern + "\n")
      .replacing(/([^\\])#.*\n/) { $0.1 }
      .replacing(/^#.*\n/.anchorsMatchLineEndings(), with: "")
      .replacing(/([^\\])\s+/) { $0.1 }
      .trimmingCharacters(in: .whitespacesAndNewlines)
  }

  private static func isLiteral(_ text: Substring) -> Bool {
    text.utf8.allSatisfy { byte in
      (byte >= 0x30 && byte <= 0x39) || (byte >= 0x41 && byte <= 0x5A)
        || (byte >= 0x61 && byte <= 0x7A)
    }
  }

  func matches(_ text: String) -> Bool {
    switch form {
    case .prefix(let prefix): text.utf8.starts(with: prefix.utf8)
    case .expression(let expression):
      expression.firstMatch(in: text, range: NSRange(text.startIndex..., in: text)) != nil
    }
  }
}
