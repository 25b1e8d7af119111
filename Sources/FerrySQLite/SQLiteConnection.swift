// Ferry: offline-first sync for Parse Server. MIT licence.

import CSQLite
import FerryModel
import FerryStore

/// One open connection to a database file.
final class SQLiteConnection: @unchecked Sendable {
  // It is safe to pass between threads, because the store gives it to one caller at a time.

  enum Purpose {
    case reading, writing
    /// To look at a file that stays as it is, its journal mode included.
    case inspecting
    /// To copy a file that may only be read; the path is a URI.
    case copyingFrom
    /// The backup interface fills the file, and this connection closes before another opens it.
    case copying
    /// To write to a copy that goes with its store, so that nothing needs to reach the disk.
    case writingCopy
  }

  let handle: OpaquePointer
  /// Lives as long as the connection, which reads through it.
  private let overlay: Overlay?
  private var cache = StatementCache()
  private let rules = SQLRules()
  private var appStatements: AppStatements
  /// Nil for a connection that only reads: it goes through the outbox in scans, once.
  var decodedEntries: DecodedEntries?
  /// What `entangledRows` has found out about classes.
  var entangledIDs = EntangledIDsOfClasses()
  private var waitsForDisk = true
  /// Whether the file is there after a loss of power.
  private var canOutlivePower = true

  /// Opens an existing file.
  ///
  /// SQLite never creates one, because other users could read it.
  init(path: String, for purpose: Purpose, through overlay: Overlay? = nil) throws(StoreError) {
    self.overlay = overlay
    var pointer: OpaquePointer?
    let access =
      if case .copyingFrom = purpose { SQLITE_OPEN_READONLY | SQLITE_OPEN_URI } else {
        SQLITE_OPEN_READWRITE
      }
    let flags = access | SQLITE_OPEN_NOFOLLOW | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
    let result = SQLiteResultCode(rawValue: sqlite3_open_v2(path, &pointer, flags, overlay?.name))
    guard result == .ok, let pointer else {
      let error = SQLiteError(result, on: pointer)
      sqlite3_close_v2(pointer)
      throw error.storeError
    }
    handle = pointer
    appStatements = AppStatements(rules)
    try configure(for: purpose)
  }

  // Statements still in use keep the connection alive until they are released.
  deinit {
    cache.removeAll()
    appStatements.removeAll()
    SQLRules.remove(from: handle)
    sqlite3_close_v2(handle)
  }

  private func configure(for purpose: Purpose) throws(StoreError) {
    sqlite3_busy_handler(handle, { _, attempt in BusyWait.pause(attempt) ? 1 : 0 }, nil)
    guard purpose != .copying else {
      return try execute("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF")
    }
    // A hostile database file must not make SQLite load code. Its triggers and indexes can then do nothing outside
    // the file. Those of the app must run: Debian's SQLite does not count JSON functions and full-text tables
    // as innocuous, so the schema has to be trusted.
    for (option, value) in [
      (SQLITE_DBCONFIG_DEFENSIVE, 1), (SQLITE_DBCONFIG_TRUSTED_SCHEMA, 1),
      (SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0), (SQLITE_DBCONFIG_ENABLE_TRIGGER, 1),
    ] as [(Int32, Int32)] {
      try check(ferry_sqlite_configure(handle, option, value))
    }
    sqlite3_limit(handle, SQLITE_LIMIT_ATTACHED, 0)
    try execute("PRAGMA cell_size_check = ON; PRAGMA recursive_triggers = OFF")
    try addMeaningfulEquality(to: self)
    try TestOfValues.addFunction(to: self)
    try BookkeepingGuard.allowOwnWrites(on: self)
    try check(rules.add(to: handle))
    // With a larger cache, the first sync of a million records takes more memory and no less time. With 14 MiB, a first
    // sync stays below 64 MiB.
    if case .writing = purpose { decodedEntries = DecodedEntries() }
    switch purpose {
    case .reading, .copyingFrom: try execute("PRAGMA query_only = ON")
    case .inspecting: break
    case .writing, .copying:
      try execute(
        "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cache_size = -14336; PRAGMA wal_autocheckpoint = 4000"
      )
    case .writingCopy:
      try check(ferry_sqlite_configure(handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1))
      try execute(
        "PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF; PRAGMA cache_size = -14336; PRAGMA wal_autocheckpoint = 4000"
      )
      canOutlivePower = false
    }
  }

  /// Runs statements without parameters whose rows do not matter.
  func execute(_ sql: String) throws(StoreError) {
    try check(sqlite3_exec(handle, sql, nil, nil, nil))
  }

  /// Begins a transaction to read, or one to write at once.
  func begin(toWrite: Bool) throws(StoreError) {
    try statement(toWrite ? "BEGIN IMMEDIATE" : "BEGIN").run()
  }

  /// Runs a transaction that ends once the task which waits for it is cancelled.
  func cancellable<Result>(
    _ transaction: () throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    guard let cancellation = AccessCancellation.current else { return try transaction() }
    return try cancellation.interruptible(by: { sqlite3_interrupt(self.handle) }, transaction)
  }

  func commit() throws(StoreError) { try statement("COMMIT").run() }

  /// Takes back what an open transaction did.
  ///
  /// Nobody can do anything about a failure, and closing the connection takes it back too.
  func rollBack() {
    // They may lack an id whose removal is taken back.
    entangledIDs = EntangledIDsOfClasses()
    // A task that is cancelled just now interrupts one statement, which may be this one.
    for _ in 0..<2 where isInTransaction { try? statement("ROLLBACK").run() }
  }

  /// A cached prepared statement; a new one while the cached one is in use.
  func statement(_ sql: String) throws(StoreError) -> SQLiteStatement {
    try cache.statement(sql, on: handle)
  }

  /// A statement of the app's own SQL that reads.
  func appQuery(_ sql: String, _ values: [Value]) throws(StoreError) -> SQLiteStatement {
    try appStatements.query(sql, values, on: handle)
  }

  /// A statement of the app's own SQL that writes.
  func appExecution(_ sql: String, _ values: [Value]) throws(StoreError) -> SQLiteStatement {
    try appStatements.execution(sql, values, on: handle)
  }

  /// The cached statements, for tests that look at query plans.
  var preparedTexts: [String] { cache.texts }

  func check(_ result: Int32) throws(StoreError) {
    guard result == SQLITE_OK else {
      throw SQLiteError(SQLiteResultCode(rawValue: result), on: handle).storeError
    }
  }

  /// A file of the connection, by the operation of SQLite that names it; nil if it is not open.
  func file(_ operation: Int32) -> UnsafeMutablePointer<sqlite3_file>? {
    var file: UnsafeMutablePointer<sqlite3_file>?
    let result = sqlite3_file_control(handle, "main", operation, &file)
    return result == SQLITE_OK && file?.pointee.pMethods != nil ? file : nil
  }

  /// Whether the database file is no longer where it was opened: something has moved, removed or replaced it.
  var hasMoved: Bool {
    var hasMoved: Int32 = 0
    let result = sqlite3_file_control(handle, "main", SQLITE_FCNTL_HAS_MOVED, &hasMoved)
    return result == SQLITE_OK && hasMoved != 0
  }

  /// Whether a transaction is open; a full disk, for example, ends one.
  var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

  /// The row number of the last insert.
  var lastInsertedRow: Int64 { sqlite3_last_insert_rowid(handle) }

  /// The number of rows that this connection has changed, counting changes by triggers.
  var totalChanges: Int64 { sqlite3_total_changes64(handle) }

  /// The number of rows that the last statement changed, not counting changes by triggers.
  var changedRows: Int { Int(sqlite3_changes64(handle)) }

  /// Sets the failures that the next commit survives.
  func setDurability(_ durability: Durability) throws(StoreError) {
    let waits = durability == .full
    guard canOutlivePower, waits != waitsForDisk else { return }
    try execute(waits ? "PRAGMA synchronous = FULL" : "PRAGMA synchronous = NORMAL")
    waitsForDisk = waits
  }
}
