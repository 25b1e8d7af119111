// Ferry: offline-first sync for Parse Server. MIT licence.

import Foundation

/// A table in the documentation of a type.
public struct DocumentedTable {
  /// The cells of each row below the header, once for each combination of alternatives.
  public let rows: Set<[String]>

  /// Reads the table of a source file.
  ///
  /// - Parameters:
  ///   - path: The file, below the package.
  ///   - splitting: The columns whose cells list alternatives.
  /// - Throws: The file system's error.
  public init(in path: String, splitting: Set<Int>) throws {
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../\(path)").standardizedFileURL
    var rows = Set<[String]>()
    var isBelowHeader = false
    for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
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
