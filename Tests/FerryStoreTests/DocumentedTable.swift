// Ferry: offline-first sync for Parse Server. MIT licence.

import Foundation

/// The rows of a table in the documentation of a type.
struct DocumentedTable {
  /// The cells of each row below the header, one row for each combination of a cell's alternatives.
  let rows: Set<[String]>

  /// - Parameters:
  ///   - file: The source file, below `Sources/FerryPlanning`.
  ///   - splitting: The columns whose cells list alternatives.
  init(in file: String, splitting: Set<Int>) throws {
    let url = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Sources/FerryPlanning").appending(path: file).standardizedFileURL
    var rows = Set<[String]>()
    var isBelowHeader = false
    for line in try String(contentsOf: url, encoding: .utf8).split(separator: "\n") {
      guard line.hasPrefix("/// |") else { continue }
      if line.contains("| --- |") {
        isBelowHeader = true
        continue
      }
      guard isBelowHeader else { continue }
      let cells = line.dropFirst(5).split(separator: "|")
        .map { $0.trimmingCharacters(in: .whitespaces) }
      var combinations: [[String]] = [[]]
      for (column, cell) in cells.enumerated() {
        let choices = splitting.contains(column) ? cell.components(separatedBy: ", ") : [cell]
        combinations = combinations.flatMap { row in choices.map { row + [$0] } }
      }
      rows.formUnion(combinations)
    }
    self.rows = rows
  }
}
