// Ferry: offline-first sync for Parse Server. MIT licence.

/// Where the text of a story may be broken: at single spaces that no quotes hold.
enum TextPieces {
  /// The words of a text; what stands in quotes is part of one word.
  static func words(of text: String) -> [String] {
    var words = [""]
    var isQuoted = false
    var isEscaped = false
    for character in text {
      if character == " ", !isQuoted {
        words.append("")
        continue
      }
      if character == "\"", !isEscaped { isQuoted.toggle() }
      isEscaped = character == "\\" && isQuoted && !isEscaped
      words[words.count - 1].append(character)
    }
    // More than one space in a row may be of weight, as in the text of a statement.
    return words.reduce(into: []) { words, word in
      if let last = words.last, word.isEmpty || last.hasSuffix(" ") {
        words[words.count - 1] = last + " " + word
      } else {
        words.append(word)
      }
    }
  }

  /// The steps of a cell, each with its `;`.
  static func steps(of text: String) -> [String] {
    pieces(of: text) { word, _ in word.hasSuffix(";") }
  }

  /// The values of a line of alternatives, each but the first with its `|`.
  static func alternatives(of text: String) -> [String] {
    guard text.hasPrefix("for ") else { return [text] }
    return pieces(of: text) { _, next in next == "|" }
  }

  private static func pieces(
    of text: String, endAt isEnd: (_ word: String, _ next: String) -> Bool
  ) -> [String] {
    let words = words(of: text)
    var pieces: [String] = []
    var piece: [String] = []
    for (index, word) in words.enumerated() {
      piece.append(word)
      let next = words.indices.contains(index + 1) ? words[index + 1] : ""
      guard isEnd(word, next) || index == words.count - 1 else { continue }
      pieces.append(piece.joined(separator: " "))
      piece = []
    }
    return pieces
  }

  /// Pieces in lines of some width; one that does not fit is broken at its words.
  static func lines(of pieces: [String], width: Int, indentation: String = "") -> [String] {
    var lines: [String] = []
    var line: String?
    func begin(_ text: String) -> String { (lines.isEmpty ? "" : indentation) + text }
    func fits(_ text: String) -> Bool { text.count <= width }
    func add(_ piece: String) -> Bool {
      let longer = line.map { $0 + " " + piece } ?? begin(piece)
      if fits(longer) {
        line = longer
        return true
      }
      if let full = line { lines.append(full) }
      line = begin(piece)
      return fits(begin(piece))
    }
    for piece in pieces where !add(piece) {
      line = nil
      for word in words(of: piece) { _ = add(word) }
    }
    return lines + (line.map { [$0] } ?? [])
  }
}
