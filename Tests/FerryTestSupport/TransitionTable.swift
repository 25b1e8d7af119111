// Ferry: offline-first sync for Parse Server. MIT licence.

import Foundation

/// The table of transitions in the documentation of a state machine.
///
/// A row of it is `/// | from, from | `event`: remark | to, to |`.
public enum TransitionTable {
  /// The edges of the table in a file of the package: from, event, to.
  public static func edges(in path: String) throws -> Set<[String]> {
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../\(path)").standardizedFileURL
    var edges = Set<[String]>()
    for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
      let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      guard line.hasPrefix("/// |"), cells.count == 4,
        let event = cells[2].firstMatch(of: /^`(\w+)`/)?.1
      else { continue }
      for from in cells[1].components(separatedBy: ", ") {
        for to in cells[3].components(separatedBy: ", ") {
          edges.insert([from, String(event), to])
        }
      }
    }
    return edges
  }
}
