// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning

// Parameters of each query: 1 is the token, 2 the class, 3 the local id of a selected row.
extension LogSelection {
  /// The rest of a query of the log; SQLite sorts in a file of its own where memory is short.
  func clause(of table: TableLayout, _ marks: UnfoldedMarks) -> String {
    switch self {
    case .byRow: "ORDER BY localId, token"
    case .byRowButNew: "AND NOT \(Self.isNew(table, marks)) ORDER BY localId, token"
    case .row: "AND localId = ?3 ORDER BY token"
    case .removals: "AND \(Self.isRemoval) ORDER BY objectId, token"
    }
  }

  private static var isRemoval: String { "kind IN \(LogKind.removals)" }

  /// Whether a row of the log is about a row of which folding makes a create, whatever else the log says of it.
  ///
  /// The server does not know such a row, it has no entry, and no removed row had its id. A row that was folded in part
  /// is left to folding.
  static func isNew(_ table: TableLayout, _ marks: UnfoldedMarks) -> String {
    guard marks.first == nil else { return "0" }
    let name = SQLText.text(table.entity.name)
    let entry = "SELECT 1 FROM ferry_outbox o WHERE o.class = \(name) AND"
    let log = "FROM ferry_log WHERE token > ?1 AND class = ?2 AND \(isRemoval)"
    return
      """
      (EXISTS (SELECT 1 FROM \(table.table) t WHERE t.localId = ferry_log.localId AND t.createdAt IS NULL
      AND NOT EXISTS (\(entry) o.localId = t.localId) AND NOT EXISTS (\(entry) o.objectId = t.objectId)
      AND t.objectId NOT IN (SELECT objectId \(log) AND objectId IS NOT NULL))
      AND localId NOT IN (SELECT localId \(log)))
      """
  }
}
