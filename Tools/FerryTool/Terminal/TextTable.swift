// Ferry: offline-first sync for Parse Server. MIT licence.

/// Rows of cells under headings; the first column is text, the others are numbers or words.
struct TextTable {
  var headings: [String]
  var rows: [[String]]

  /// The table's lines; one cell a line where the table is wider than the terminal.
  func lines(width: Int?) -> [String] {
    let widths = headings.indices.map { column in
      ([headings] + rows).map { $0[column].count }.max() ?? 0
    }
    let total = widths.reduce(0, +) + 2 * (widths.count - 1)
    if let width, total > width { return stacked }
    return ([headings] + rows).map { row in
      zip(row.indices, row).map { column, cell in
        column == 0 ? cell.padded(to: widths[0]) : cell.leftPadded(to: widths[column])
      }.joined(separator: "  ").trimmedEnd
    }
  }

  private var stacked: [String] {
    rows.flatMap { row in
      [row.first ?? ""] + zip(headings, row).dropFirst().map { "  \($0): \($1)" }
    }
  }
}

extension String {
  fileprivate func leftPadded(to width: Int) -> String {
    String(repeating: " ", count: max(0, width - count)) + self
  }

  fileprivate var trimmedEnd: String {
    var text = self[...]
    while text.last == " " { text = text.dropLast() }
    return String(text)
  }
}
