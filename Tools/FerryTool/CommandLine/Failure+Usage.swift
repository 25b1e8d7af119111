// Ferry: offline-first sync for Parse Server. MIT licence.

// A command line that says nothing the tool can do.
extension Failure {
  /// A mistake, with the words to type instead.
  init(usage message: String) { self.init(.usage, "usage", message) }

  /// Something that is not in a list, with the nearest one that is.
  init(usage kind: String, _ word: String, notAmong known: [String], see help: String) {
    let suggestion = Suggestion.nearest(to: word, among: known)
    let place = help.hasPrefix("ferry ") ? "\"\(help)\"" : help
    let remedy = suggestion.map { "Did you mean \($0)?" } ?? "\(place) lists them."
    self.init(usage: "There is no \(kind) \(word.quoted). \(remedy)")
  }
}

extension String {
  /// In double quotes, with what could confuse a terminal escaped.
  var quoted: String { debugDescription }
}
