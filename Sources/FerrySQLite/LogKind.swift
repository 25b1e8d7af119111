// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryStore

/// The kind of a row of `ferry_log`; the first three numbers equal those of `Change.Kind`.
enum LogKind: Int64 {
  case insert = 0
  case update = 1
  case delete = 2
  /// A trigger's note that an insert may replace this row.
  case displaced = 3

  /// The kinds of a row that may say what a field held before, as a list in SQL: an insert says it only where
  /// `FieldRemoval` noted it.
  static let edits = "(\(LogKind.insert.rawValue), \(LogKind.update.rawValue))"

  /// The kinds of a row that is gone or may be, as a list in SQL.
  static let removals = "(\(LogKind.delete.rawValue), \(LogKind.displaced.rawValue))"

  /// Picks what the app did to one row, as SQL: after the token ?1, of the class ?2 and the local id ?3.
  ///
  /// A kind or a list of kinds follows.
  static let appEdits =
    "token > ?1 AND class = ?2 AND localId = ?3 AND author = \(Author.app.rawValue) AND kind"

  /// Asks for the row's last insert among these, as SQL: null if there is none.
  static let lastInsert =
    "SELECT max(token) FROM ferry_log WHERE \(appEdits) = \(LogKind.insert.rawValue)"
}
