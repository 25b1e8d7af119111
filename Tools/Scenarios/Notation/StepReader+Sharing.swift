// Ferry: offline-first sync for Parse Server. MIT licence.

/// Who may read and change a row from now on, as the app says.
enum Sharing: Sendable {
  case openToEveryone
  /// The others keep their rights.
  case readableByEveryone
  case privateTo(String)
}

// Steps in which an app changes the access list of rows.
extension StepReader {
  /// `n1 is open to everyone`, `n1 is readable by everyone` or `n1 is private to anna`; nil for any other step.
  func sharingStep(_ reader: inout PhraseReader) throws(ScenarioError) -> Step? {
    guard case .word(let word) = try reader.peek(), isKnown(word) else { return nil }
    var behind = reader
    let names = try knownNames(&behind)
    guard try behind.takes("is") else { return nil }
    reader = behind
    if try reader.takes(phrase: "open to everyone") { return .share(names, .openToEveryone) }
    if try reader.takes(phrase: "readable by everyone") {
      return .share(names, .readableByEveryone)
    }
    guard try reader.takes(phrase: "private to") else {
      throw reader.expected(
        "\"open to everyone\", \"readable by everyone\" or \"private to USER\"")
    }
    return .share(names, .privateTo(try reader.word("a user")))
  }
}
