// Ferry: offline-first sync for Parse Server. MIT licence.

/// A column whose changes the log keeps.
struct CapturedColumn: Sendable {
  /// The column's name, quoted.
  let name: String
  /// Its place among the log's columns.
  let position: Int
  let holdsBytes: Bool
  /// The column's default, as SQL.
  let defaultText: String
}
