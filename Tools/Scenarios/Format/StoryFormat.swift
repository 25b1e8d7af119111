// Ferry: offline-first sync for Parse Server. MIT licence.

/// The one layout of a story: aligned tables, and lines of fewer than a hundred characters.
public enum StoryFormat {
  /// The most characters of a line.
  public static let width = 99

  /// A story in its layout; the words stay as they are.
  ///
  /// - Parameter text: The story, whether it can be read or not.
  /// - Returns: The text, with a line break at its end.
  public static func formatted(_ text: String) -> String {
    var lines: [String] = []
    var rest = StoryLine.lines(of: text)[...]
    while let line = rest.first {
      // Comments and blank lines do not end a table.
      let end = rest.firstIndex { !$0.isTable && !$0.isComment && !$0.isBlank } ?? rest.endIndex
      if line.isTable {
        lines += TableLayout(Array(rest[..<end])).lines
        rest = rest[end...]
      } else if line.isComment {
        let comment = rest.prefix(while: \.isComment)
        lines += self.comment(comment.map { $0.text.trimmed })
        rest = rest.dropFirst(comment.count)
      } else {
        lines += self.lines(of: line)
        rest = rest.dropFirst()
      }
    }
    var kept: [String] = []
    for line in lines where !(line.isEmpty && kept.last?.isEmpty ?? true) { kept.append(line) }
    if kept.last?.isEmpty == true { kept.removeLast() }
    return kept.joined(separator: "\n") + "\n"
  }

  /// The numbers of the lines that are longer than they may be, which only their author can shorten.
  ///
  /// - Parameter text: A story.
  /// - Returns: The numbers, beginning with 1.
  public static func longLines(of text: String) -> [Int] {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    return lines.indices.filter { lines[$0].count > width }.map { $0 + 1 }
  }

  /// A comment, filled anew if one of its lines is too long.
  private static func comment(_ lines: [String]) -> [String] {
    guard lines.contains(where: { $0.count > width }) else { return lines }
    let words = lines.flatMap { $0.drop { $0 == "#" }.split(separator: " ").map(String.init) }
    return TextPieces.lines(of: words, width: width - 2).map { "# " + $0 }
  }

  /// A line that belongs to no table.
  static func lines(of line: StoryLine) -> [String] {
    if line.isBlank { return [""] }
    if line.isComment { return comment([line.text.trimmed]) }
    let indentation = line.isIndented ? "  " : ""
    let pieces = TextPieces.alternatives(of: line.text.trimmed)
    return TextPieces.lines(
      of: pieces, width: width - indentation.count, indentation: "  "
    ).map { indentation + $0 }
  }
}
