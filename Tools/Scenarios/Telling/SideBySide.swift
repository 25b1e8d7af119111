// Ferry: offline-first sync for Parse Server. MIT licence.

/// Worlds in columns, line by line, with the first line marked that is not as it should be.
enum SideBySide {
  /// One column: its title, and the lines that an actor holds or must hold.
  struct Column {
    var title: String
    var lines: [WorldLine]
  }

  /// The columns as text; lines of one key stand beside one another, and the first that differs is marked.
  static func text(_ columns: [Column], firstDifference first: WorldLine.Key?) -> String {
    let keys = shown(Set(columns.flatMap(\.lines).map(\.key)).sorted(), around: first)
    let chosen = Set(keys)
    let columns = columns.map {
      Column(title: $0.title, lines: $0.lines.filter { chosen.contains($0.key) })
    }
    var rows: [(mark: String, cells: [String])] = [("", columns.map(\.title))]
    for key in keys {
      let held = columns.map { $0.lines.filter { $0.key == key }.map(\.text) }
      for index in 0..<(held.map(\.count).max() ?? 0) {
        let cells = held.map { $0.indices.contains(index) ? $0[index] : "-" }
        rows.append((key == first && index == 0 ? "→" : "", cells))
      }
    }
    let widths = columns.indices.map { column in rows.map { $0.cells[column].count }.max() ?? 0 }
    return rows.map { row in
      let cells = zip(row.cells, widths).map { $0 + String(repeating: " ", count: $1 - $0.count) }
      return ((row.mark.isEmpty ? "  " : "→ ") + cells.joined(separator: " | ")).trimmedAtEnd
    }.joined(separator: "\n")
  }

  /// The keys that are worth a line: of a large world those around the first that differs.
  private static func shown(_ keys: [WorldLine.Key], around first: WorldLine.Key?) -> [WorldLine
    .Key]
  {
    guard keys.count > mostKeys else { return keys }
    let middle = first.flatMap { keys.firstIndex(of: $0) } ?? 0
    let start = max(min(middle - mostKeys / 2, keys.count - mostKeys), 0)
    return Array(keys[start..<start + mostKeys])
  }

  private static let mostKeys = 40

  /// The key of the first line that one of two worlds has and the other has not.
  static func firstDifference(_ one: [WorldLine], _ other: [WorldLine]) -> WorldLine.Key? {
    let keys = Set((one + other).map(\.key)).sorted()
    let (left, right) = (
      Dictionary(grouping: one, by: \.key), Dictionary(grouping: other, by: \.key)
    )
    return keys.first { left[$0]?.map(\.text) != right[$0]?.map(\.text) }
  }
}
