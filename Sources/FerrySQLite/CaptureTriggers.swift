// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel

/// The triggers that write a class's edits to the log, in the transaction of the edit.
///
/// The triggers only append. An append meets no conflict that an outer `OR IGNORE` or `OR REPLACE`
/// could resolve differently. While `ferry_author` has a row, Ferry itself is writing.
///
/// For an update, the log keeps the old value of each changed field, and of the access list if it changed, and NULL for
/// the others. A
/// missing old value is stored as a value that no column of that type can hold: the empty BLOB, or
/// the number 0 instead of bytes. So the log needs no list of changed fields.
///
/// REPLACE removes rows without firing a trigger unless `recursive_triggers` is on. So a trigger
/// notes the rows that an insert may replace. Later log rows show whether the insert did so.
///
/// They know every column that a field was ever declared for, whichever program opened the store
/// last: one with fewer fields does not stop the capture of the others.
///
/// The triggers are short, because SQLite's cost grows with the length of a trigger even if its
/// condition is false. Their texts belong to the format of the store: changing them needs a new format,
/// so that an older program does not restore its own.
///
/// An update is logged before it happens. SQLite fires triggers in no documented order, and in fact the latest
/// first: a trigger of the app that writes to the updated row would come before the edit in the log. A delete
/// is logged after it happened, because a trigger of the app may turn it into an update: `RAISE(IGNORE)`.
struct CaptureTriggers {
  let layout: TableLayout
  private var captured: [CapturedColumn] { layout.captured }

  /// The triggers by name, as `sqlite_schema` keeps their text.
  var all: [(name: String, sql: String)] { [update, protect, delete] + inserts }

  /// The triggers that a bulk import drops.
  var inserts: [(name: String, sql: String)] { [beforeInsert, afterInsert] }

  /// The triggers that a bulk import drops where it changes most rows of a page.
  var updates: [(name: String, sql: String)] { [update, protect] }

  /// The greatest local id that another program may choose: as many are left behind it.
  static let greatestGivenID: Int64 = 1 << 62
  static let isSync = "EXISTS (SELECT 1 FROM ferry_author)"
  private static let lastKind = "(SELECT kind FROM ferry_log ORDER BY token DESC LIMIT 1)"

  private func trigger(_ name: String, _ event: String, when: String?, _ body: [String]) -> (
    name: String, sql: String
  ) {
    let name = "ferry_\(name)_\(layout.classNumber)"
    let condition = when.map { "\nWHEN \($0)" } ?? ""
    let sql =
      "CREATE TRIGGER \(name) \(event) ON \(layout.table)\(condition)\nBEGIN\n  "
      + body.joined(separator: ";\n  ") + ";\nEND"
    return (name, sql)
  }

  private func refusal(_ sentence: String) -> String {
    "RAISE(ABORT, \(SQLText.text("\(layout.entity.table): \(sentence)")))"
  }

  // MARK: - Inserts

  private var beforeInsert: (name: String, sql: String) {
    let forbidden =
      "NEW.createdAt IS NOT NULL OR NEW.updatedAt IS NOT NULL OR NEW.objectId = ''"
    let sentence = refusal(
      "createdAt and updatedAt come from the server, and an objectId may not be empty. "
        + "The row was not inserted. Leave these columns out.")
    // SQLite numbers rows from the greatest number on that a table ever had, and has none behind 2⁶³ − 1.
    let isTooGreat = "NEW.localId > \(Self.greatestGivenID)"
    let excess = refusal(
      "a localId is a number from 1 to \(Self.greatestGivenID). The row was not inserted. Leave localId "
        + "out.")
    let displaced =
      "(NEW.localId > 0 AND EXISTS (SELECT 1 FROM \(layout.table) WHERE localId = NEW.localId))"
      + " OR EXISTS (SELECT 1 FROM \(layout.table) WHERE objectId = NEW.objectId)"
    let content = TableLayout.ownColumns + captured.map(\.name)
    let note =
      "INSERT INTO ferry_log (class, author, kind, \(logColumns)) SELECT \(layout.classNumber),"
      + " \(Self.isSync), \(LogKind.displaced.rawValue), \(SQLText.list(content))"
      + " FROM \(layout.table) WHERE"
    // While a sync writes, a trigger of the app may insert rows, too: they lack what comes from the server.
    let isNoted = "(NEW.createdAt IS NULL OR NOT \(Self.isSync))"
    return trigger(
      "before_insert", "BEFORE INSERT",
      when: "(\(forbidden) OR \(isTooGreat) OR \(displaced)) AND \(isNoted)",
      [
        "SELECT \(sentence) WHERE (\(forbidden)) AND NOT \(Self.isSync)",
        "SELECT \(excess) WHERE \(isTooGreat) AND NOT \(Self.isSync)",
        "\(note) localId = NEW.localId OR objectId = NEW.objectId",
      ])
  }

  private var afterInsert: (name: String, sql: String) {
    let sentence = refusal(
      "a row keeps its objectId as long as it lives, and this insert would put another record in "
        + "its place. Nothing was replaced. Use UPDATE, or leave localId out.")
    // One insert notes at most two rows, and deletes at most two. Earlier rows belong to another statement.
    let recent = "SELECT token, kind FROM ferry_log ORDER BY token DESC LIMIT 4"
    let start = "SELECT max(token) FROM (\(recent)) WHERE kind <= \(LogKind.update.rawValue)"
    let torn =
      "\(Self.lastKind) > \(LogKind.update.rawValue) AND EXISTS (SELECT 1 FROM ferry_log"
      + " WHERE token > max(ifnull((\(start)), 0), (SELECT max(token) FROM ferry_log) - 4)"
      + " AND class = \(layout.classNumber) AND kind = \(LogKind.displaced.rawValue)"
      + " AND localId = NEW.localId AND objectId IS NOT NEW.objectId)"
    let nameless = refusal(
      "a localId is a number from 1 on. The row was not inserted. Leave localId out.")
    let isNoted = "NEW.createdAt IS NULL AND \(Self.lastKind) = \(LogKind.displaced.rawValue)"
    return trigger(
      "after_insert", "AFTER INSERT", when: "NOT \(Self.isSync) OR \(isNoted)",
      [
        "INSERT INTO ferry_log (class, author, kind, localId)"
          + " VALUES (\(layout.classNumber), \(Self.isSync), \(LogKind.insert.rawValue),"
          + " CASE WHEN \(Self.isSync) THEN NEW.localId WHEN NEW.localId < 1 THEN \(nameless)"
          + " WHEN \(torn) THEN \(sentence) ELSE NEW.localId END)"
      ])
  }

  // MARK: - Updates

  private var update: (name: String, sql: String) {
    let changes =
      (["localId", "acl"] + captured.map(\.name)).map { "OLD.\($0) IS NOT NEW.\($0)" }
      .joined(separator: " OR ")
    let sentence = refusal("localId never changes. The row was not changed.")
    func old(_ name: String, ifMissing none: String) -> String {
      "iif(OLD.\(name) IS NEW.\(name), NULL, ifnull(OLD.\(name), \(none)))"
    }
    // Before a download has brought the row, nobody knows the server's list. Later, no list means the open one.
    let open = SQLText.text(WireJSON.text(AccessList.open.value))
    let olds =
      [old("acl", ifMissing: "iif(OLD.updatedAt IS NULL, X'', \(open))")]
      + captured.map { old($0.name, ifMissing: $0.holdsBytes ? "0" : "X''") }
    let values = SQLText.list(["iif(OLD.localId IS NEW.localId, OLD.localId, \(sentence))"] + olds)
    let columns = SQLText.list(["localId", "acl"] + captured.map { "v\($0.position)" })
    return trigger(
      "update", "BEFORE UPDATE", when: changes,
      [
        "INSERT INTO ferry_log (class, author, kind, \(columns)) VALUES"
          + " (\(layout.classNumber), \(Self.isSync), \(LogKind.update.rawValue), \(values))"
      ])
  }

  private var protect: (name: String, sql: String) {
    let columns = ["objectId", "createdAt", "updatedAt"]
    let changes = columns.map { "OLD.\($0) IS NOT NEW.\($0)" }.joined(separator: " OR ")
    return trigger(
      "protect", "BEFORE UPDATE OF \(SQLText.list(columns))",
      when: "(\(changes)) AND NOT \(Self.isSync)",
      [
        "SELECT "
          + refusal(
            "objectId, createdAt and updatedAt come from the server. The row was not "
              + "changed. Leave these columns as they are.")
      ])
  }

  // MARK: - Deletes

  private var delete: (name: String, sql: String) {
    let old = (TableLayout.ownColumns + captured.map(\.name)).map { "OLD.\($0)" }
    return trigger(
      "delete", "AFTER DELETE", when: nil,
      [
        "INSERT INTO ferry_log (class, author, kind, \(logColumns)) VALUES"
          + " (\(layout.classNumber), \(Self.isSync), \(LogKind.delete.rawValue),"
          + " \(SQLText.list(old)))"
      ])
  }

  /// The log's columns for a whole row, in this order: `localId`, the server's columns, the fields.
  private var logColumns: String {
    SQLText.list(
      TableLayout.ownColumns + captured.map { "v\($0.position)" })
  }
}
