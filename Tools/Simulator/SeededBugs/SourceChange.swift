// Ferry: offline-first sync for Parse Server. MIT licence.

/// A mistake in the engine's code: a text of one file, and the text that replaces it.
///
/// `SeededSources` makes the change in a copy of the sources. In the text instead, `isSeeded` says whether the
/// mistake is switched on.
struct SourceChange: Sendable {
  /// The file, below the folder `Sources`.
  var file: String
  /// A text that the file has exactly once.
  var original: String
  /// The text with the mistake.
  var mistaken: String

  init(_ file: String, _ original: String, _ mistaken: String) {
    self.file = file
    self.original = original
    self.mistaken = mistaken
  }
}
