// Ferry: offline-first sync for Parse Server. MIT licence.

/// A query for words in PostgreSQL's notation, as `fox & (dog | cat:*) & !cow`.
indirect enum WordQuery: Sendable {
  case word(String, isPrefix: Bool)
  case not(WordQuery)
  case both(WordQuery, WordQuery)
  case either(WordQuery, WordQuery)
  /// The second word follows the first at that distance.
  case inOrder(WordQuery, WordQuery, distance: Int)
  /// A word of a weight that no text of a row has.
  case nowhere

  /// Whether a text has the words.
  func matches(_ list: WordList) -> Bool {
    switch self {
    case .word, .inOrder, .nowhere: !places(in: list).isEmpty
    case .not(let query): !query.matches(list)
    case .both(let first, let second): first.matches(list) && second.matches(list)
    case .either(let first, let second): first.matches(list) || second.matches(list)
    }
  }

  /// Where the last words of the query stand in a text.
  private func places(in list: WordList) -> Set<Int> {
    switch self {
    case .word(let stem, let isPrefix):
      guard isPrefix else { return list.places[stem] ?? [] }
      return list.places.filter { $0.key.hasPrefix(stem) }.values.reduce(into: []) {
        $0.formUnion($1)
      }
    case .inOrder(let first, let second, let distance):
      let before = first.places(in: list)
      return second.places(in: list).filter { before.contains($0 - distance) }
    case .either(let first, let second):
      return first.places(in: list).union(second.places(in: list))
    case .both(let first, let second):
      return first.places(in: list).intersection(second.places(in: list))
    case .not, .nowhere: return []
    }
  }
}
