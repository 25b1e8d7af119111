// Ferry: offline-first sync for Parse Server. MIT licence.

/// A key made of a word or a position.
struct WordKey: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }
  init(_ word: String) { stringValue = word }
  init?(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
}
