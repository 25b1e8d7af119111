// Ferry: offline-first sync for Parse Server. MIT licence.

/// A line of a story, with the lines that continue it.
struct StoryLine {
  /// The number of its first line in the file.
  var number: Int
  var text: Substring

  var place: Place { Place(line: number) }
  var isIndented: Bool { text.first?.isWhitespace == true }
  var isTable: Bool { text.first == "|" }
  var isBlank: Bool { text.allSatisfy(\.isWhitespace) }
  var isComment: Bool { text.first { !$0.isWhitespace } == "#" }

  /// The lines of a text, comments and blank lines among them.
  static func lines(of text: String) -> [StoryLine] {
    var lines: [StoryLine] = []
    let texts = text.split(separator: "\n", omittingEmptySubsequences: false)
    for (index, text) in zip(texts.indices, texts) {
      let line = StoryLine(number: index + 1, text: text.last == "\r" ? text.dropLast() : text)
      guard let last = lines.last, line.continues(last) else {
        lines.append(line)
        continue
      }
      lines[lines.count - 1].take(line)
    }
    return lines
  }

  /// A line of a table continues with `:`, any other line with a deeper indentation.
  private func continues(_ line: StoryLine) -> Bool {
    guard !isBlank, !isComment, !line.isBlank, !line.isComment else { return false }
    if line.isTable { return text.first == ":" }
    if line.isIndented { return text.hasPrefix("    ") }
    // The first word can stand alone, where the next one fills a line.
    return isIndented && ["story", "for", "options"].contains(line.text.prefix { $0 != " " })
  }

  private mutating func take(_ line: StoryLine) {
    guard isTable else {
      text = text.trimmedAtEnd[...] + " " + line.text.trimmed[...]
      return
    }
    let cells = StoryTable.cells(of: text)
    let more = StoryTable.cells(of: "|" + line.text.dropFirst())
    let joined = (0..<max(cells.count, more.count)).map { column in
      [cells, more].map { $0.indices.contains(column) ? $0[column].trimmed : "" }
        .filter { !$0.isEmpty }.joined(separator: " ")
    }
    text = "| \(joined.joined(separator: " | ")) |"
  }
}
