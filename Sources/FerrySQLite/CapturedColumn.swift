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

  /// A value of the log if the column can hold it, as SQL.
  ///
  /// The value moved to the log's column when a program declared its field with another type. It stays once a sync
  /// has seen it, also where the field moves back.
  func fitting(_ value: String) -> String {
    guard let type else { return value }
    let classes =
      switch TableLayout.columnType(type) {
      case "REAL": "('real', 'integer')"
      case let name: "('\(name.lowercased())')"
      }
    return "iif(typeof(\(value)) IN \(classes), \(value), NULL)"
  }
}
