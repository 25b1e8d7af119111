// Ferry: offline-first sync for Parse Server. MIT licence.

/// How the text of a field matches.
///
/// An empty text is the start, the end and a part of every text.
public enum TextMatch: Sendable, Hashable {
  /// The text begins with this one.
  case prefix(String)
  /// The text ends with this one.
  case suffix(String)
  /// This one is a part of the text.
  case contains(String)
  /// The text is this one; with options, `Cafe` is `café`.
  case equals(String)
  /// The whole text has the form of a pattern.
  ///
  /// In it, `%` matches any number of characters, and `_` one Unicode scalar. A backslash before one of the two, or
  /// before a backslash, takes away its meaning.
  case like(String)
}
