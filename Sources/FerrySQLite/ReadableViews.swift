// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel

/// The views that show any SQL tool what is unsent, and what syncs overwrote.
///
/// They read Ferry's own tables alone. A view of a class's table would keep other programs from removing a column, and
/// from building the table anew: SQLite then checks all views.
struct ReadableViews {
  /// The number of the log's columns for fields.
  let columnCount: Int

  /// A view, with the text that `sqlite_schema` keeps.
  struct View: Equatable {
    var name: String
    var sql: String
  }

  /// The remark by which Ferry knows a view as its own.
  static let remark = "/* made by Ferry */"

  /// The views of the whole store.
  var ofStore: [View] { [pending, conflicts] }

  /// The view of a class's unsent changes, under a name that is free.
  static func status(of entity: Entity, named name: String) -> View {
    View(
      name: name,
      sql: "CREATE VIEW \(SQLText.name(name)) AS \(remark)\n"
        + "SELECT localId, objectId, kind, state, reason FROM ferry_pending"
        + " WHERE class = \(SQLText.text(entity.name))")
  }

  private var pending: View {
    let edited = EditedRowsSQL(columnCount: columnCount).rows
    let kind = UnsentSQL.kind
    return View(
      name: "ferry_pending",
      sql: """
        CREATE VIEW ferry_pending AS \(Self.remark)
        SELECT * FROM (SELECT class, localId, \(UnsentSQL.permanentID) AS objectId,
        iif(\(kind) = 'deleteAfterCreate', 'delete-after-create', \(kind)) AS kind,
        \(UnsentSQL.state) AS state, \(UnsentSQL.reason) AS reason, \(UnsentSQL.attempts) AS attempts,
        \(UnsentSQL.failures) AS failures, \(UnsentSQL.serverCode) AS serverCode FROM ferry_outbox)
        WHERE state IS NOT NULL
        AND (class, localId) NOT IN (SELECT editedClass, editedId FROM (\(edited)))
        UNION ALL
        SELECT editedClass, editedId, iif(class IS NULL, goneId, \(UnsentSQL.permanentID)), editKind,
        \(EditedRowsSQL.state), \(EditedRowsSQL.reason), \(UnsentSQL.attempts),
        iif(state = 'parked', 0, \(UnsentSQL.failures)), NULL
        FROM (SELECT *, \(EditedRowsSQL.kind) AS editKind FROM (\(edited))
        LEFT JOIN ferry_outbox ON class = editedClass AND localId = editedId)
        WHERE editKind IS NOT NULL
        """)
  }

  private var conflicts: View {
    View(
      name: "ferry_conflicts",
      sql: """
        CREATE VIEW ferry_conflicts AS \(Self.remark)
        SELECT c.id, c.time, c.class, c.localId, c.objectId, c.reason, l.key AS field, l.value AS lost,
        (SELECT k.value FROM json_each(iif(json_valid(c.kept), c.kept, '{}')) k WHERE k.key = l.key) AS kept,
        c.whole AS isWholeRecord, c.restored <> 0 AS isRestored
        FROM ferry_conflict c LEFT JOIN json_each(iif(json_valid(c.lost), c.lost, '{}')) l
        """)
  }
}
