// Ferry: offline-first sync for Parse Server. MIT licence.

import CSQLite

extension SQLiteStore {
  /// The version of SQLite in this process, for a diagnosis: for example `3.40.1`.
  public static var libraryVersion: String { String(cString: sqlite3_libversion()) }
}
