// Ferry: offline-first sync for Parse Server. MIT licence.

/// A command line that says nothing the tool can do.
struct UsageError: Error, Sendable, Equatable {
  /// The mistake, and the words to type instead.
  var message: String

  init(_ message: String) { self.message = message }

  /// Something that is not in a list, with the nearest one that is.
  init(_ kind: String, _ word: String, notAmong known: [String], see help: String) {
    let suggestion = Suggestion.nearest(to: word, among: known)
    let remedy = suggestion.map { "Did you mean \($0)?" } ?? "\(help) lists them."
    self.init("There is no \(kind) \(word.quoted). \(remedy)")
  }
}

extension String {
  /// In double quotes, with what could confuse a terminal escaped.
  var quoted: String { debugDescription }
}
