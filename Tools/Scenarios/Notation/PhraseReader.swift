// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel

/// One token of a phrase.
enum Token: Hashable {
  case word(String)
  case text(String)
  case number(Double)
  case ordinal(Int)
  case date(Timestamp)
  case sign(String)
}

/// Reads a cell or a line token by token, and says what it expected where it found something else.
struct PhraseReader {
  let place: Place
  private var rest: Substring
  /// The tokens read so far that errors quote: those since the last separator.
  private var recent = ""
  /// How many lists and objects are open.
  var depth = 0
  /// The most lists and objects within each other.
  static let deepest = 100

  init(_ text: some StringProtocol, at place: Place) {
    rest = Substring(text)
    self.place = place
  }

  // MARK: Asking

  /// The next token, without taking it; nil at the end.
  func peek() throws(ScenarioError) -> Token? {
    var copy = self
    return try copy.next()
  }

  func isAtEnd() throws(ScenarioError) -> Bool { try peek() == nil }

  /// An error at this point: what was expected, and what stands here.
  func expected(_ what: String) -> ScenarioError {
    let remainder = rest.drop(while: \.isWhitespace)
    let found = remainder.isEmpty ? "the end" : "\"\(Self.start(of: remainder))\""
    let after = recent.isEmpty ? "" : " after \"\(recent)\""
    return ScenarioError("expected \(what)\(after), found \(found)", at: place)
  }

  private static func start(of text: Substring) -> Substring {
    if let first = text.first, !first.isLetter, !first.isNumber { return text.prefix(1) }
    return text.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
  }

  // MARK: Taking

  /// Takes the word, if it comes next.
  mutating func takes(_ word: String) throws(ScenarioError) -> Bool {
    guard try peek() == .word(word) else { return false }
    _ = try next()
    return true
  }

  /// Takes the words, if they come next, one after another.
  mutating func takes(phrase: String) throws(ScenarioError) -> Bool {
    var copy = self
    for word in phrase.split(separator: " ") {
      guard try copy.takes(String(word)) else { return false }
    }
    self = copy
    return true
  }

  /// Takes the sign, if it comes next.
  mutating func takes(sign: String) throws(ScenarioError) -> Bool {
    guard try peek() == .sign(sign) else { return false }
    _ = try next()
    if [",", ";", ":", "->"].contains(sign) { recent = "" }
    return true
  }

  mutating func needs(_ word: String) throws(ScenarioError) {
    guard try takes(phrase: word) else { throw expected("\"\(word)\"") }
  }

  mutating func needs(sign: String) throws(ScenarioError) {
    guard try takes(sign: sign) else { throw expected("\"\(sign)\"") }
  }

  mutating func word(_ what: String) throws(ScenarioError) -> String {
    guard case .word(let word) = try peek() else { throw expected(what) }
    _ = try next()
    return word
  }

  /// Takes a text in quotes, if one comes next.
  mutating func takesText() throws(ScenarioError) -> String? {
    guard case .text(let text) = try peek() else { return nil }
    _ = try next()
    return text
  }

  /// Takes a name: in quotes any, and else one that the closure reads and knows.
  mutating func name(
    orKnown known: (inout PhraseReader) throws(ScenarioError) -> String
  ) throws(ScenarioError) -> String {
    guard let name = try takesText() else { return try known(&self) }
    return name
  }

  mutating func integer(_ what: String) throws(ScenarioError) -> Int {
    guard case .number(let number) = try peek(), let whole = Int(exactly: number) else {
      throw expected(what)
    }
    _ = try next()
    return whole
  }

  /// Everything that is left, as it stands.
  mutating func remainder() -> String {
    defer { rest = "" }
    return String(rest.drop(while: \.isWhitespace))
  }

  mutating func needsEnd(_ alternative: String = "the end") throws(ScenarioError) {
    guard try isAtEnd() else { throw expected(alternative) }
  }

  mutating func next() throws(ScenarioError) -> Token? {
    rest = rest.drop(while: \.isWhitespace)
    guard let first = rest.first else { return nil }
    let before = rest
    let token: Token
    if first == "\"" {
      token = try quoted()
    } else if first.isLetter {
      token = .word(takeWord())
    } else if first.isASCII, first.isNumber || isNegative(rest) {
      token = try numeric()
    } else {
      token = try sign()
    }
    let text = before.prefix(before.utf8.count - rest.utf8.count)
    recent += recent.isEmpty || text == "." || recent.hasSuffix(".") ? text : " \(text)"
    return token
  }
}

extension PhraseReader {
  private func isNegative(_ text: Substring) -> Bool {
    text.first == "-" && text.dropFirst().first?.isNumber == true
  }

  private mutating func takeWord() -> String {
    var end = rest.startIndex
    while end < rest.endIndex, rest[end].isLetter || rest[end].isNumber || "_-".contains(rest[end])
    {
      if rest[end...].hasPrefix("->") { break }
      end = rest.index(after: end)
    }
    defer { rest = rest[end...] }
    return String(rest[..<end])
  }

  /// A number, a number with `st`, `nd`, `rd` or `th`, or a date.
  private mutating func numeric() throws(ScenarioError) -> Token {
    var end = rest.startIndex
    while end < rest.endIndex, rest[end].isLetter || rest[end].isNumber || ".:-".contains(rest[end])
    {
      if rest[end...].hasPrefix("..") { break }
      end = rest.index(after: end)
    }
    let text = rest[..<end]
    let ordinal = ["st", "nd", "rd", "th"].contains { text.hasSuffix($0) }
    let token: Token
    if let date = Timestamp(String(text)) {
      token = .date(date)
    } else if let number = Double(text), number.isFinite {
      token = .number(number)
    } else if ordinal, let position = Int(text.dropLast(2)), position > 0 {
      token = .ordinal(position)
    } else {
      throw expected("a number, or a date such as 2026-03-01T18:30:00.250Z")
    }
    rest = rest[end...]
    return token
  }

  private mutating func quoted() throws(ScenarioError) -> Token {
    let start = self
    rest = rest.dropFirst()
    var text = ""
    while let character = rest.popFirst() {
      switch character {
      case "\"": return .text(text)
      case "\\":
        guard let escaped = rest.popFirst() else { throw start.expected("a closing \"") }
        text.append(escaped == "n" ? "\n" : escaped)
      default: text.append(character)
      }
    }
    throw start.expected("a text with a closing \"")
  }

  private mutating func sign() throws(ScenarioError) -> Token {
    let signs = [
      "->", "..", ">=", "<=", ".", "=", ",", ";", ":", "(", ")", "[", "]", "{", "}", ">", "<",
    ]
    guard let sign = signs.first(where: { rest.hasPrefix($0) }) else {
      throw expected("a word, a value or a sign of the notation")
    }
    rest = rest.dropFirst(sign.count)
    return .sign(sign)
  }
}
