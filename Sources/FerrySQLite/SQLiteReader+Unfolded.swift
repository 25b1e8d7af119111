// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryPlanning
import FerryStore

// One program may open the store with fewer classes than another, for example an older version of
// the app or a tool. It cannot fold the edits of a class that it does not know. These edits stay in
// the log, behind a mark, until a program that knows the class folds them.
extension SQLiteReader {
  private static let prefix = "unfolded."

  /// By class number, the token after which the class's edits are not folded although others are.
  func unfoldedMarks() throws -> [Int64: Int64] {
    let marks = try statement(
      "SELECT substr(key, \(Self.prefix.count + 1)), value FROM ferry_meta"
        + " WHERE key >= '\(Self.prefix)' AND key < 'unfolded/'"
    ).rows { (Int64($0.text(0)) ?? 0, $0.integer(1)) }
    return Dictionary(marks, uniquingKeysWith: min)
  }

  /// Sets and removes marks before folding is recorded up to a token.
  func markUnfolded(through token: Int64) throws {
    for number in try unfoldedMarks().keys where layout.table(numbered: number) != nil {
      try statement("DELETE FROM ferry_meta WHERE key = ?").bound(Self.prefix + String(number))
        .run()
    }
    let folded = try meta(.foldedThrough)
    let edited = try statement(
      "SELECT class FROM ferry_log WHERE token > ? AND token <= ? AND author = "
        + "\(Author.app.rawValue)"
    ).bound(folded, token).rows { $0.integer(0) }
    for number in Set(edited) where layout.table(numbered: number) == nil {
      try statement("INSERT OR IGNORE INTO ferry_meta (key, value) VALUES (?, ?)")
        .bound(Self.prefix + String(number), folded).run()
    }
  }
}
