// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import FerryStore

/// The rows with edits that nobody has folded, as SQL that reads Ferry's own tables alone.
///
/// It knows what the log says: that a row was edited, inserted or deleted, not the values that it has now. So an edit that
/// leads back to what the server has counts until a sync folds it, and a record that was inserted again is a new one.
struct EditedRowsSQL {
  /// The number of the log's columns for fields.
  let columnCount: Int

  /// Selects the rows: `editedClass`, `editedId`, `lastKind` and `goneId` of the last edit, the number of `inserts`,
  /// and how many deletes name a record that is `known` to the server.
  ///
  /// A note that an insert may replace a row is no edit: what replaces it follows.
  var rows: String {
    """
    SELECT name AS editedClass, localId AS editedId, max(token), kind AS lastKind, objectId AS goneId,
    count(*) FILTER (WHERE kind = \(LogKind.insert.rawValue)) AS inserts, count(createdAt) AS known
    FROM ferry_log CROSS JOIN ferry_class ON number = class
    WHERE token > \(Self.start) AND author = \(Author.app.rawValue) AND kind <> \(LogKind.displaced.rawValue)
    AND (\(Self.isAfterClass)\(isAfterField))
    GROUP BY class, localId
    """
  }

  /// The kind of the change of such a row beside its entry, by the name of `PendingChange.Kind`; null for none.
  static let kind =
    """
    CASE WHEN lastKind = \(LogKind.delete.rawValue) THEN CASE
    WHEN class IS NULL THEN iif(known > 0, 'delete', NULL)
    WHEN \(UnsentSQL.isKnown) THEN 'delete' WHEN \(UnsentSQL.isOpen) THEN 'delete-after-create' END
    WHEN class IS NULL THEN iif(inserts > 0 AND known = 0, 'create', 'update')
    ELSE iif(\(UnsentSQL.kind) = 'update' OR \(UnsentSQL.kind) = 'delete' AND \(UnsentSQL.isKnown),
    'update', 'create') END
    """

  /// The state of the change, whose kind is `editKind`: an edit wakes what was parked or blocked.
  static let state =
    """
    CASE WHEN state IN ('ready', 'sending', 'unknown') AND \(UnsentSQL.hasRule) THEN \(UnsentSQL.text(.blocked))
    WHEN state = 'sending' THEN \(UnsentSQL.text(.sending))
    WHEN state = 'unknown' OR state = 'parked' AND \(UnsentSQL.isOpen) THEN \(UnsentSQL.text(.inDoubt))
    WHEN editKind = 'create' AND \(UnsentSQL.isClosed("editedClass")) THEN \(UnsentSQL.text(.blocked))
    ELSE \(UnsentSQL.text(.ready)) END
    """

  /// Why it waits: an edit ends each obstacle but a rule and the lack of a login.
  static let reason =
    """
    CASE WHEN state IN ('ready', 'sending', 'unknown') AND \(UnsentSQL.hasRule) THEN \(UnsentSQL.rule)
    WHEN ifnull(state NOT IN ('sending', 'unknown'), 1) AND NOT ifnull(state = 'parked' AND \(UnsentSQL.isOpen), 0)
    AND editKind = 'create' AND \(UnsentSQL.isClosed("editedClass")) THEN 'login' END
    """

  /// Before this token, each edit is folded.
  private static let start =
    "ifnull((SELECT min(value) FROM ferry_meta WHERE key = '\(MetaKey.foldedThrough.rawValue)'"
    + " OR key >= 'unfolded.' AND key < 'unfolded/'), 0)"

  private static let isAfterClass =
    """
    token > ifnull(min((SELECT value FROM ferry_meta WHERE key = '\(MetaKey.foldedThrough.rawValue)'),
    ifnull((SELECT value FROM ferry_meta WHERE key = 'unfolded.' || number), \(Int64.max))), 0)
    """

  /// Whether the program that folded an update did not know its field.
  private var isAfterField: String {
    guard columnCount > 0 else { return "" }
    let fields = (0..<columnCount).map { position in
      "v\(position) IS NOT NULL AND token > (SELECT value FROM ferry_meta"
        + " WHERE key = 'unfolded.' || number || '.\(position)')"
    }
    return " OR kind = \(LogKind.update.rawValue) AND (\(fields.joined(separator: "\nOR ")))"
  }
}
