// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryStore

/// The triggers that keep Ferry's own tables from writers that are not Ferry.
///
/// A row removed by hand would silently be an edit that is never sent. While
/// `ferry_author` has a row, Ferry itself is writing. The log's inserts are free, because the capture
/// triggers append to it in transactions of every program.
enum BookkeepingGuard {
  private static let tables = [
    "ferry_alias", "ferry_bookkeeping", "ferry_class", "ferry_field", "ferry_identity",
    "ferry_conflict", "ferry_log", "ferry_log_time", "ferry_meta", "ferry_outbox",
    "ferry_quarantine", "ferry_reader", "ferry_reference", "ferry_withdrawn",
  ]

  /// The triggers by name, as `sqlite_schema` keeps their text.
  static let all: [(name: String, sql: String)] = tables.flatMap { table in
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
}

extension SQLiteConnection {
  /// Tells the triggers that Ferry is writing; nobody else sees it before the commit.
  func beginOwnWrites() throws(StoreError) {
    try statement("INSERT OR IGNORE INTO ferry_author (author) VALUES (1)").run()
  }

  func endOwnWrites() throws(StoreError) { try statement("DELETE FROM ferry_author").run() }
}
