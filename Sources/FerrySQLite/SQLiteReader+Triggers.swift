// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryStore

// The triggers of other programs.
extension SQLiteReader {
  /// Whether a trigger of the app watches a table.
  ///
  /// `OR FAIL` would replace the trigger's own `OR IGNORE` or `OR REPLACE`, and a trigger that inserts into the
  /// table itself takes a local id between those of two rows.
  func hasForeignTriggers(on table: TableLayout) throws(StoreError) -> Bool {
    try statement("\(Self.foreignTriggers) AND tbl_name = ? COLLATE NOCASE LIMIT 1")
      .bound(table.entity.table).first { _ in true } == true
  }

  /// Whether a trigger of the app watches any table.
  func hasForeignTriggers() throws(StoreError) -> Bool {
    try statement("\(Self.foreignTriggers) LIMIT 1").first { _ in true } == true
  }

  func foreignTriggers(of className: String?) throws(StoreError) -> [String] {
    guard let className else {
      return try statement("\(Self.foreignTriggers) ORDER BY name").rows { $0.text(0) }
    }
    return try statement("\(Self.foreignTriggers) AND tbl_name = ? COLLATE NOCASE ORDER BY name")
      .bound(layout.table(className).entity.table).rows { $0.text(0) }
  }

  private static let foreignTriggers =
    "SELECT name FROM (SELECT type, name, tbl_name FROM sqlite_schema"
    + " UNION ALL SELECT type, name, tbl_name FROM sqlite_temp_schema)"
    + " WHERE type = 'trigger' AND name NOT GLOB 'ferry_*'"
}
