// Ferry: offline-first sync for Parse Server. MIT licence.

import CSQLite
import FerryStore

/// The triggers that keep Ferry's own tables from writers that are not Ferry.
///
/// A row removed by hand would silently be an edit that is never sent. While
/// `ferry_author` has a row, Ferry itself is writing. The log's inserts are free, because the capture
/// triggers append to it in transactions of every program.
///
/// The row itself is kept from other programs by a function that Ferry's connections alone have. Another program
/// gets an error of SQLite that names the function.
enum BookkeepingGuard {
  private static let tables = [
    "ferry_alias", "ferry_bookkeeping", "ferry_class", "ferry_field", "ferry_identity",
    "ferry_conflict", "ferry_log", "ferry_log_time", "ferry_meta", "ferry_outbox",
    "ferry_quarantine", "ferry_reader", "ferry_reference", "ferry_withdrawn",
  ]

  /// The triggers by name, as `sqlite_schema` keeps their text.
  static let all: [(name: String, sql: String)] =
    [
      (
        "ferry_author_guard_insert",
        "CREATE TRIGGER ferry_author_guard_insert BEFORE INSERT ON ferry_author\n"
          + "BEGIN\n  SELECT \(ownWrites)();\nEND"
      )
    ]
    + tables.flatMap(guards)

  private static func guards(of table: String) -> [(name: String, sql: String)] {
    let events = table == "ferry_log" ? ["UPDATE", "DELETE"] : ["INSERT", "UPDATE", "DELETE"]
    return events.map { event in
      let name = "\(table)_guard_\(event.lowercased())"
      let sentence = SQLText.text(
        "\(table) is a table of Ferry's own, and Ferry alone writes to it. Nothing was changed. "
          + "Write to the tables of your classes.")
      let sql =
        "CREATE TRIGGER \(name) BEFORE \(event) ON \(table)\nWHEN NOT \(CaptureTriggers.isSync)\n"
        + "BEGIN\n  SELECT RAISE(ABORT, \(sentence));\nEND"
      return (name, sql)
    }
  }

  /// The function's name is what another program reads in SQLite's error.
  private static let ownWrites = "only_Ferry_writes_to_ferry_author"

  /// Registers the function with a connection of Ferry.
  static func allowOwnWrites(on connection: SQLiteConnection) throws(StoreError) {
    let flags = SQLITE_UTF8 | SQLITE_INNOCUOUS
    try connection.check(
      sqlite3_create_function_v2(
        connection.handle, ownWrites, 0, flags, nil,
        { context, _, _ in sqlite3_result_null(context) }, nil, nil, nil))
  }
}

extension SQLiteConnection {
  /// Tells the triggers that Ferry is writing; nobody else sees it before the commit.
  func beginOwnWrites() throws(StoreError) {
    try statement("INSERT OR IGNORE INTO ferry_author (author) VALUES (1)").run()
  }

  func endOwnWrites() throws(StoreError) { try statement("DELETE FROM ferry_author").run() }
}
