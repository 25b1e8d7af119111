// Ferry: offline-first sync for Parse Server. MIT licence.

import Foundation

/// A regular expression of a query.
///
/// One that only asks how a text begins, which is what clients ask most, needs no engine.
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
    var flags: NSRegularExpression.Options = []
    if options.contains("i") { flags.insert(.caseInsensitive) }
    if options.contains("x") { flags.insert(.allowCommentsAndWhitespace) }
    if options.contains("m") { flags.insert(.anchorsMatchLines) }
    if options.contains("s") { flags.insert(.dotMatchesLineSeparators) }
    guard let expression = try? NSRegularExpression(pattern: pattern, options: flags) else {
      throw .queryFailed
    }
    form = .expression(expression)
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
