// Ferry: offline-first sync for Parse Server. MIT licence.

import CSQLite
package import Foundation

/// A connection of another program to a database.
package final class Database {
  private let handle: OpaquePointer?

  package init(_ file: URL) {
    var handle: OpaquePointer?
    sqlite3_open_v2(file.path(percentEncoded: false), &handle, SQLITE_OPEN_READWRITE, nil)
    self.handle = handle
  }

  deinit { sqlite3_close_v2(handle) }

  /// The result of `PRAGMA integrity_check`: "ok" for a sound file.
  package func integrity() -> String { run("PRAGMA integrity_check") }

  /// Moves the log into the database, as the last program does when it closes the file.
  package func checkpoint() { _ = run("PRAGMA wal_checkpoint(TRUNCATE)") }

  /// Runs statements in one transaction; undoes all of them, and returns false, where one fails.
  package func transaction(_ statements: [String]) -> Bool {
    for statement in ["BEGIN IMMEDIATE"] + statements + ["COMMIT"]
    where sqlite3_exec(handle, statement, nil, nil, nil) != SQLITE_OK {
      sqlite3_exec(handle, "ROLLBACK", nil, nil, nil)
      return false
    }
    return true
  }

  /// The first value of the statement's first row, or SQLite's message.
  package func run(_ sql: String) -> String {
    var statement: OpaquePointer?
    defer { sqlite3_finalize(statement) }
    if sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK,
      sqlite3_step(statement) == SQLITE_ROW, let text = sqlite3_column_text(statement, 0)
    {
      return String(cString: text)
    }
    return sqlite3_errmsg(handle).map { String(cString: $0) } ?? "The file cannot be opened."
  }
}
