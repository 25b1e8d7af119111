// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import FerryStore

/// The parts of an unsent change in a row of `ferry_outbox`, as SQL that needs no function of Ferry's own.
///
/// It means the same as `OutboxEntry.unsentState`. An entry that is no JSON has no kind: the next sync reports it.
enum UnsentSQL {
  /// The entry as a text that is JSON in any case.
  private static let json = "iif(json_valid(entry), entry, '{}')"

  /// The kind of the entry, by the name that the entry keeps.
  static let kind = member("kind")

  /// The state, by the name of `UnsentState`; null if nothing is left to send.
  static let state =
    """
    CASE WHEN \(hasRule) THEN \(text(.blocked))
    WHEN state = 'ready' THEN iif(\(isCreate) AND \(isClosed("class")), \(text(.blocked)), \(text(.ready)))
    WHEN state = 'sending' THEN \(text(.sending))
    WHEN state = 'unknown' THEN \(text(.inDoubt))
    WHEN state = 'parked' THEN \(text(.parked))
    WHEN state = 'blocked'
    THEN iif(\(member("state.blocked.by.confirmation")) IS NULL, \(text(.blocked)), \(text(.heldBack))) END
    """

  /// Why the change waits: the server's words, the rule of another program, or the obstacle with its object.
  static let reason =
    """
    CASE WHEN \(hasRule) THEN \(rule)
    WHEN state = 'ready' AND \(isCreate) AND \(isClosed("class")) THEN 'login'
    ELSE ifnull(\(member("state.parked._0.message")), \(obstacle)) END
    """

  private static let obstacle =
    """
    (SELECT o.key || ifnull(': ' || CASE o.key
    WHEN 'record' THEN json_extract(o.value, '$._0.className') || ' ' || json_extract(o.value, '$._0.localID')
    WHEN 'backOff' THEN json_extract(o.value, '$.until')
    WHEN 'formerID' THEN json_extract(o.value, '$.field')
    ELSE json_extract(o.value, '$._0') END, '') FROM json_each(\(json), '$.state.blocked.by') o)
    """

  /// The number of requests whose outcome is open, that of failures since the last success, and the server's code.
  static let attempts = "ifnull(json_array_length(\(json), '$.attempts'), 0)"
  static let failures = "ifnull(\(member("failures.count")), 0)"
  static let serverCode = member("state.parked._0.code")

  /// The object id; null while it is one of this device that the server may replace.
  static let permanentID =
    "iif(NOT \(isKnown) AND length(objectId) = \(MintedID.length)"
    + " AND objectId NOT GLOB '*[^0-9a-f]*', NULL, objectId)"

  static let isCreate = "\(kind) = \(text(.create))"
  static let rule = member("rule")
  static let hasRule = "\(rule) IS NOT NULL"
  /// Whether the server has the record, as far as the store knows.
  static let isKnown = "\(member("createdAt")) IS NOT NULL"
  /// Whether the outcome of an attempt is unknown.
  static let isOpen =
    "EXISTS (SELECT 1 FROM json_each(\(json), '$.attempts')"
    + " WHERE json_extract(value, '$.outcome') = '\(Attempt.Outcome.unknown.rawValue)')"

  /// Whether the server takes creates of a class only from users who are logged in, and nobody is.
  static func isClosed(_ className: String) -> String {
    "EXISTS (SELECT 1 FROM ferry_bookkeeping WHERE key = '\(ClassNote.prefix)' || \(className)"
      + " AND iif(json_valid(json), json_extract(json, '$.\(ClassNote.needsLogin)'), 0))"
  }

  private static func member(_ path: String) -> String { "json_extract(\(json), '$.\(path)')" }

  static func text(_ state: UnsentState) -> String { SQLText.text(state.rawValue) }
  static func text(_ kind: OutboxEntry.Kind) -> String { SQLText.text(kind.rawValue) }

  /// Selects the local ids of the rows of a class with an unsent change in one of some states.
  ///
  /// The parameters are the class, a list of the rows to leave out, and a list of further rows: what the log
  /// changes about the outbox.
  static func localIDs(in states: Set<UnsentState>) -> String {
    let wanted = SQLText.list(states.map { text($0) }.sorted())
    return "SELECT localId FROM ferry_outbox WHERE class = ?"
      + " AND \(kind) IN (\(text(.create)), \(text(.update)))"
      + " AND \(state) IN (\(wanted)) AND localId NOT IN (SELECT value FROM json_each(?))"
      + " UNION ALL SELECT value FROM json_each(?)"
  }

  /// Local ids as a JSON list for `json_each`.
  static func list(_ localIDs: some Sequence<LocalID>) -> String {
    WireJSON.text(.array(localIDs.map { .integer($0.rawValue) }))
  }
}
