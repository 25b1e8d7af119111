// Ferry: offline-first sync for Parse Server. MIT licence.

import CSQLite

/// SQLite's settings for a process whose databases no other process opens.
package enum SoleProcess {
  /// The pieces of memory that each connection has for itself, and the size of a piece.
  ///
  /// A connection parses the schema and prepares its statements in them, without a call of `malloc` for each node.
  private static let memory = (size: Int32(1200), count: Int32(200))

  /// Takes the settings over; before the process opens its first database.
  ///
  /// SQLite then keeps the locks of all files, and the memory that connections share, within the process: a transaction
  /// asks the system for nothing. It also does without its count of the memory that is in use.
  package static func prepare() {
    _ = ferry_sqlite_configure_process(SQLITE_CONFIG_MEMSTATUS, 0, 0)
    _ = ferry_sqlite_configure_process(SQLITE_CONFIG_LOOKASIDE, memory.size, memory.count)
    if let vfs = sqlite3_vfs_find("unix-excl") { sqlite3_vfs_register(vfs, 1) }
  }
}
