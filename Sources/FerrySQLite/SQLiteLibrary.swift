// Ferry: offline-first sync for Parse Server. MIT licence.

import CSQLite

/// The C library as a whole.
package enum SQLiteLibrary {
  /// The library's version, for example `3.40.1`.
  package static var version: String { String(cString: sqlite3_libversion()) }
}
