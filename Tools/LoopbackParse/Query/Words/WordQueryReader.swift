// Ferry: offline-first sync for Parse Server. MIT licence.

/// Reads a query for words.
///
/// `!` binds more than `<->`, that more than `&`, and that more than `|`.
struct WordQueryReader {
  private let language: String
  private var signs: [Substring]

  /// The query; nil where none of its words says anything.
  static func query(_ text: String, in language: String) throws(Refusal) -> WordQuery? {
    var reader = WordQueryReader(text, language)
    let query = try reader.alternatives()
    guard reader.signs.isEmpty else { throw .queryFailed }
    return query
  }

  private init(_ text: String, _ language: String) {
    self.language = language
    signs = text.matches(of: /<-?\d*>|[&|!()]|[^\s&|!()<>]+|[<>]/).map(\.0)
  }

  private mutating func takes(_ sign: Substring) -> Bool {
    guard signs.first == sign else { return false }
    signs.removeFirst()
    return true
  }

  private mutating func alternatives() throws(Refusal) -> WordQuery? {
    var query = try conjunction()
    while takes("|") { query = Self.join(query, try conjunction(), WordQuery.either) }
    return query
  }

  private mutating func conjunction() throws(Refusal) -> WordQuery? {
    var query = try phrase()
    while takes("&") { query = Self.join(query, try phrase(), WordQuery.both) }
    return query
  }

  private mutating func phrase() throws(Refusal) -> WordQuery? {
    var query = try operand()
    while let sign = signs.first, sign.hasPrefix("<") {
      signs.removeFirst()
      guard let distance = sign == "<->" ? 1 : Int(sign.dropFirst().dropLast()) else {
        throw .queryFailed
      }
      query = Self.join(query, try operand()) { .inOrder($0, $1, distance: distance) }
    }
    return query
  }

  private mutating func operand() throws(Refusal) -> WordQuery? {
    if takes("!") { return try operand().map(WordQuery.not) }
    if takes("(") {
      let query = try alternatives()
      guard takes(")") else { throw .queryFailed }
      return query
    }
    guard let sign = signs.first, sign.contains(where: { $0.isLetter || $0.isNumber }) else {
      throw .queryFailed
    }
    signs.removeFirst()
    let parts = sign.split(separator: ":", omittingEmptySubsequences: false)
    let marks = parts.dropFirst().first ?? ""
    guard parts.count < 3, parts.count == 1 || !marks.isEmpty,
      marks.allSatisfy("*ABCDabcd".contains)
    else { throw .queryFailed }
    // The texts of rows have the weight D.
    let weights = marks.filter(\.isLetter)
    guard weights.isEmpty || weights.contains(where: "dD".contains) else { return .nowhere }
    var query: WordQuery?
    for form in WordList.words(of: String(parts[0])).joined() {
      let word = WordList.stem(of: form, in: language).map {
        WordQuery.word($0, isPrefix: marks.contains("*"))
      }
      query = Self.join(query, word, WordQuery.both)
    }
    return query
  }

  /// A word that says nothing is left out.
  private static func join(
    _ first: WordQuery?, _ second: WordQuery?, _ join: (WordQuery, WordQuery) -> WordQuery
  ) -> WordQuery? {
    guard let first, let second else { return first ?? second }
    return join(first, second)
  }
}
