// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import FerryStore

/// The unsent changes of the outbox, as SQL that needs no function of Ferry's own.
///
/// It means the same as `OutboxEntry.unsentState`. An entry that is no JSON is none of these: the next sync reports it.
enum UnsentSQL {
  /// The kind of an entry of `ferry_outbox`, by the name that the entry keeps.
  static let kind = member("kind")

  /// The state of an entry of `ferry_outbox`, by the name of `UnsentState`; null if nothing is left to send.
  static let state =
    """
    CASE WHEN \(member("rule")) IS NOT NULL THEN \(text(.blocked))
    WHEN state = 'ready' THEN iif(\(kind) = 'create' AND \(isClosed), \(text(.blocked)), \(text(.ready)))
    WHEN state = 'sending' THEN \(text(.sending))
    WHEN state = 'unknown' THEN \(text(.inDoubt))
    WHEN state = 'parked' THEN \(text(.parked))
    WHEN state = 'blocked'
    THEN iif(\(member("state.blocked.by.confirmation")) IS NULL, \(text(.blocked)), \(text(.heldBack))) END
    """

  /// Whether the server takes creates of the entry's class only from users who are logged in.
  private static let isClosed =
    "EXISTS (SELECT 1 FROM ferry_bookkeeping WHERE key = '\(ClassNote.prefix)' || class"
    + " AND iif(json_valid(json), json_extract(json, '$.\(ClassNote.needsLogin)'), 0))"

  private static func member(_ path: String) -> String {
    "iif(json_valid(entry), json_extract(entry, '$.\(path)'), NULL)"
  }

  private static func text(_ state: UnsentState) -> String { SQLText.text(state.rawValue) }

  /// The kinds of changes whose rows are there, as a list in SQL.
  private static let kindsOfRows =
    "('\(OutboxEntry.Kind.create.rawValue)', '\(OutboxEntry.Kind.update.rawValue)')"

  /// Selects the local ids of the rows of a class with an unsent change in one of some states.
  ///
  /// The parameters are the class, a list of the rows to leave out, and a list of further rows: what the log
  /// changes about the outbox.
  static func localIDs(in states: Set<UnsentState>) -> String {
    let wanted = SQLText.list(states.map(text).sorted())
    return "SELECT localId FROM ferry_outbox WHERE class = ? AND \(kind) IN \(kindsOfRows)"
      + " AND \(state) IN (\(wanted)) AND localId NOT IN (SELECT value FROM json_each(?))"
      + " UNION ALL SELECT value FROM json_each(?)"
  }

  /// Local ids as a JSON list for `json_each`.
  static func list(_ localIDs: some Sequence<LocalID>) -> String {
    WireJSON.text(.array(localIDs.map { .integer($0.rawValue) }))
  }
}
