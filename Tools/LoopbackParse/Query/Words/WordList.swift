// Ferry: offline-first sync for Parse Server. MIT licence.

/// The words of a text as PostgreSQL's search by words knows them.
struct WordList {
  /// The languages that PostgreSQL comes with.
  static let languages: Set<String> = [
    "simple", "arabic", "armenian", "basque", "catalan", "danish", "dutch", "english", "finnish",
    "french", "german", "greek", "hindi", "hungarian", "indonesian", "irish", "italian",
    "lithuanian", "nepali", "norwegian", "portuguese", "romanian", "russian", "serbian", "spanish",
    "swedish", "tamil", "turkish", "yiddish",
  ]

  /// The places of each stem in the text.
  private(set) var places: [String: Set<Int>] = [:]

  init(_ text: String, in language: String) {
    var place = 0
    for word in Self.words(of: text) {
      place += 1
      for (offset, form) in word.enumerated() {
        if offset > 1 { place += 1 }
        guard let stem = Self.stem(of: form, in: language) else { continue }
        places[stem, default: []].insert(place)
      }
    }
  }

  /// The forms of each word: itself, and the parts of one with hyphens.
  static func words(of text: String) -> [[String]] {
    let word = /[\w.+-]+@[\w-]+(?:\.[\w-]+)+|\d+\.\d+|\w+(?:-\w+)+|\w+/
    return text.lowercased().matches(of: word).map { match in
      let whole = String(match.0)
      let parts = whole.split(separator: "-").map(String.init)
      return parts.count > 1 && !whole.contains("@") ? [whole] + parts : [whole]
    }
  }

  /// The form under which a word is found; nil for a word that says nothing.
  ///
  /// Of a language other than English the words are taken as they are.
  static func stem(of word: String, in language: String) -> String? {
    guard language == "english" else { return word }
    return stopWords.contains(word) ? nil : EnglishStem.stem(of: word)
  }

  /// PostgreSQL's own list for English.
  private static let stopWords = Set(
    """
    i me my myself we our ours ourselves you your yours yourself yourselves he him his himself
    she her hers herself it its itself they them their theirs themselves what which who whom
    this that these those am is are was were be been being have has had having do does did
    doing a an the and but if or because as until while of at by for with about against between
    into through during before after above below to from up down in out on off over under again
    further then once here there when where why how all any both each few more most other some
    such no nor not only own same so than too very s t can will just don should now
    """.split(whereSeparator: \.isWhitespace).map(String.init))
}
