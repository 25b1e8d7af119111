// Ferry: offline-first sync for Parse Server. MIT licence.

/// A table of a story with its columns aligned.
///
/// A cell that is too wide goes on in a line that begins with `:`.
struct TableLayout {
  private let rows: [StoryLine]
  private var widths: [Int] = []

  /// The layout of the lines of a table, comments and blank lines among them.
  init(_ rows: [StoryLine]) {
    self.rows = rows
    let cells = rows.filter { $0.isTable && !$0.isRule }.map { Self.cells(of: $0) }
    let columns = cells.map(\.count).max() ?? 0
    let texts = (0..<columns).map { column in
      cells.compactMap { $0.indices.contains(column) ? $0[column] : nil }
    }
    let most = Self.widths(
      texts.map { $0.map(\.count).max() ?? 0 },
      least: texts.map { $0.flatMap(TextPieces.words).map(\.count).max() ?? 0 },
      room: StoryFormat.width - 3 * columns - 1)
    // A cell that is broken at its words is often narrower than its room.
    widths = zip(texts, most).map { texts, most in
      texts.flatMap { Self.lines(of: $0, width: most) }.map(\.count).max() ?? 0
    }
  }

  private static func cells(of row: StoryLine) -> [String] {
    StoryTable.cells(of: row.text).map(\.trimmed)
  }

  private static func lines(of cell: String, width: Int) -> [String] {
    TextPieces.lines(of: TextPieces.steps(of: cell), width: width)
  }

  /// Narrows the widest columns alike until all fit, but none below its longest word.
  private static func widths(_ wanted: [Int], least: [Int], room: Int) -> [Int] {
    var limit = wanted.max() ?? 0
    func widths() -> [Int] { zip(wanted, least).map { max(min($0, limit), $1) } }
    while widths().reduce(0, +) > room, limit > 1 { limit -= 1 }
    return widths()
  }

  var lines: [String] {
    rows.flatMap { row in
      guard row.isTable else { return StoryFormat.lines(of: row) }
      return row.isRule ? [rule(of: row)] : lines(of: Self.cells(of: row))
    }
  }

  private func rule(of row: StoryLine) -> String {
    let pause = row.pause
    guard pause.isEmpty else {
      let total = widths.map { $0 + 3 }.reduce(0, +) - 1
      let rest = max(total - pause.count - 5, 3)
      return "|--- \(pause) \(String(repeating: "-", count: rest))|"
    }
    return "|" + widths.map { String(repeating: "-", count: $0 + 2) }.joined(separator: "|") + "|"
  }

  private func lines(of cells: [String]) -> [String] {
    let columns = zip(cells, widths).map(Self.lines)
    return (0..<max(columns.map(\.count).max() ?? 0, 1)).map { index in
      let texts = zip(columns, widths).map { lines, width in
        let text = lines.indices.contains(index) ? lines[index] : ""
        return text + String(repeating: " ", count: max(width - text.count, 0))
      }
      return (index == 0 ? "| " : ": ") + texts.joined(separator: " | ") + " |"
    }
  }
}

extension StoryLine {
  /// Whether it is the line below the titles, or lets time pass.
  fileprivate var isRule: Bool { text.hasPrefix("|-") || text.hasPrefix("| -") }

  /// The words between the dashes, as `3 min later`.
  fileprivate var pause: String {
    let words = text.drop { "|-: ".contains($0) }.reversed().drop { "|-: ".contains($0) }.reversed()
    return String(words)
  }
}
