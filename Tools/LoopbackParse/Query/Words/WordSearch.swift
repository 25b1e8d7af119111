// Ferry: offline-first sync for Parse Server. MIT licence.

/// A condition by words: `$text`.
struct WordSearch: Sendable {
  private let language: String
  /// Nil where none of the words asked for says anything, so that no text has them.
  private let query: WordQuery?

  /// Reads `{"$search": {"$term": …}}`.
  init(_ text: LoopbackValue) throws(Refusal) {
    func bad(_ reason: String) -> Refusal { .parse(107, "bad $text: " + reason) }
    guard let search = text["$search"], search.object != nil else {
      throw bad("$search, should be object")
    }
    guard let term = search["$term"]?.string, !term.isEmpty else {
      throw bad("$term, should be string")
    }
    func flag(_ name: String) throws(Refusal) -> Bool? {
      guard let value = search[name] else { return nil }
      if value.isTruthy, value.bool == nil { throw bad("\(name), should be boolean") }
      return value.bool
    }
    if let given = search["$language"], given.isTruthy, given.string == nil {
      throw bad("$language, should be string")
    }
    if try flag("$caseSensitive") == true {
      throw bad(
        "$caseSensitive not supported, please use $regex or create a separate lower case column.")
    }
    if try flag("$diacriticSensitive") == false {
      throw bad(
        "$diacriticSensitive - false not supported, install Postgres Unaccent Extension")
    }
    let asked = search["$language"]?.string ?? ""
    language = asked.isEmpty ? "english" : asked
    guard WordList.languages.contains(language) else { throw .queryFailed }
    query = try WordQueryReader.query(term, in: language)
  }

  func matches(_ text: String) -> Bool {
    query?.matches(WordList(text, in: language)) ?? false
  }
}
