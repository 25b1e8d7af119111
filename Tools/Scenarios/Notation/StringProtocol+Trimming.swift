// Ferry: offline-first sync for Parse Server. MIT licence.

extension StringProtocol {
  /// The text without white space at its ends.
  var trimmed: String { drop(while: \.isWhitespace).trimmedAtEnd }

  /// The text without white space at its end.
  var trimmedAtEnd: String {
    String(reversed().drop(while: \.isWhitespace).reversed())
  }
}
