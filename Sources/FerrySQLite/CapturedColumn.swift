// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel

/// A column whose changes the log keeps.
struct CapturedColumn: Sendable {
  /// The column's name, quoted.
  let name: String
  /// The field that has the column; nil if its field has another column now.
  let field: String?
  /// Its place among the log's columns.
  let position: Int
  /// The type of its values; nil if a newer program declares one that this program does not know.
  let type: FieldType?
  /// The column's default, as SQL.
  let defaultText: String

  var holdsBytes: Bool { type == .bytes }

  /// The old value in the log of a row that had no value, as SQL.
  var noValue: String { FieldMove.noValue(isBytes: holdsBytes) }
}
