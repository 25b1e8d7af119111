// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryStore

/// One step from a format of Ferry's own tables to the next.
struct Migration: Sendable {
  /// The format after the step.
  var format: Int
  var statements: [String]

  /// All steps, oldest first; a released step never changes.
  ///
  /// Formats 2, 3, 5 and 7 have other texts of triggers, which an opening makes anew. An older program would restore
  /// its own.
  static let all = [
    Migration(format: 1, statements: formatOne), Migration(format: 2, statements: []),
    Migration(format: 3, statements: []), Migration(format: 4, statements: formatFour),
    // With the note of the last installation, the opening would take the triggers for those of this version.
    Migration(format: 5, statements: ["DELETE FROM ferry_meta WHERE key = 'installed'"]),
    Migration(format: 6, statements: formatSix),
    // The triggers let an app write access lists, and capture them.
    Migration(format: 7, statements: ["DELETE FROM ferry_meta WHERE key = 'installed'"]),
  ]

  /// Brings a database up to the newest format, in the open transaction.
  ///
  /// - Throws: `newerFormat` for a file of a newer Ferry; the file stays unchanged.
  static func bringUpToDate(_ connection: SQLiteConnection, by steps: [Migration] = all)
    throws(StoreError)
  {
    let present = try format(of: connection)
    let newest = steps.last?.format ?? 0
    guard present <= newest else {
      throw StoreError(
        .newerFormat,
        "The store's file has format \(present), made by a newer version of Ferry; this one knows "
          + "format \(newest). The file was not changed. Update the program that opens it.")
    }
    for step in steps where step.format > present {
      if step.format > 1 { try connection.beginOwnWrites() }
      for statement in step.statements { try connection.execute(statement) }
      try connection.statement("INSERT OR REPLACE INTO ferry_meta (key, value) VALUES (?, ?)")
        .bound("format", step.format).run()
    }
  }

  /// The format of Ferry's tables; 0 if there are none.
  static func format(of connection: SQLiteConnection) throws(StoreError) -> Int {
    let table = "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'ferry_meta'"
    guard try connection.statement(table).first({ _ in true }) == true else { return 0 }
    let format = try connection.statement("SELECT value FROM ferry_meta WHERE key = 'format'")
      .first { $0.count(0) }
    guard let format, format > 0 else {
      throw StoreError(
        .damaged,
        "The store's file holds Ferry's tables but not their format. It was not changed. Move it "
          + "away and sync into a new store, or restore a copy of it.")
    }
    return format
  }

  // A row of `ferry_log_time` with a `firstToken` is the note of a transaction that ended with the row's token. Conflict
  // records know whether they were seen, and their run.
  private static let formatFour = [
    "ALTER TABLE ferry_log_time ADD COLUMN firstToken INTEGER",
    "ALTER TABLE ferry_log_time ADD COLUMN author INTEGER",
    "ALTER TABLE ferry_log_time ADD COLUMN step INTEGER",
    "ALTER TABLE ferry_log_time ADD COLUMN isUndone INTEGER NOT NULL DEFAULT 0",
    "ALTER TABLE ferry_conflict ADD COLUMN seen INTEGER NOT NULL DEFAULT 0",
    "ALTER TABLE ferry_conflict ADD COLUMN run INTEGER",
    "UPDATE ferry_conflict SET seen = 1 WHERE restored <> 0",
    "CREATE INDEX ferry_conflict_unseen ON ferry_conflict (class) WHERE seen = 0",
    "CREATE INDEX ferry_conflict_age ON ferry_conflict (seen, time)",
  ]

  // The server's values of records, as the app knew them when it deleted their rows, and the position in history then.
  private static let formatSix = [
    "ALTER TABLE ferry_identity ADD COLUMN lastKnown TEXT",
    "ALTER TABLE ferry_identity ADD COLUMN knownAt INTEGER",
    "CREATE INDEX ferry_identity_known ON ferry_identity (knownAt) WHERE knownAt IS NOT NULL",
  ]

  // The log has no AUTOINCREMENT, which would make every edit slower. Ferry never removes the log's
  // last row, so no token repeats. Columns v0, v1, … are added when a class needs them.
  private static let formatOne = [
    "CREATE TABLE ferry_meta (key TEXT PRIMARY KEY, value ANY) STRICT, WITHOUT ROWID",
    """
    CREATE TABLE ferry_class (
      number INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, tableName TEXT NOT NULL,
      acknowledged INTEGER NOT NULL DEFAULT 0
    ) STRICT
    """,
    """
    CREATE TABLE ferry_field (
      class INTEGER NOT NULL, position INTEGER NOT NULL, columnName TEXT NOT NULL,
      type TEXT NOT NULL, fieldName TEXT, PRIMARY KEY (class, position)
    ) STRICT, WITHOUT ROWID
    """,
    """
    CREATE TABLE ferry_log (
      token INTEGER PRIMARY KEY, class, author, kind, localId, lastId, objectId, acl, createdAt,
      updatedAt
    )
    """,
    "CREATE TABLE ferry_log_time (token INTEGER PRIMARY KEY, time TEXT NOT NULL) STRICT",
    "CREATE TABLE ferry_author (author INTEGER PRIMARY KEY) STRICT",
    """
    CREATE TABLE ferry_outbox (
      class TEXT NOT NULL, localId INTEGER NOT NULL, objectId TEXT NOT NULL, clientKey TEXT,
      state TEXT NOT NULL, entry TEXT NOT NULL, checksum TEXT NOT NULL,
      PRIMARY KEY (class, localId)
    ) STRICT
    """,
    "CREATE INDEX ferry_outbox_object ON ferry_outbox (class, objectId)",
    """
    CREATE INDEX ferry_outbox_key ON ferry_outbox (class, clientKey) WHERE clientKey IS NOT NULL
    """,
    """
    CREATE TABLE ferry_reference (
      objectId TEXT NOT NULL, class TEXT NOT NULL, localId INTEGER NOT NULL,
      PRIMARY KEY (objectId, class, localId)
    ) STRICT, WITHOUT ROWID
    """,
    "CREATE INDEX ferry_reference_row ON ferry_reference (class, localId)",
    """
    CREATE TABLE ferry_alias (
      old TEXT PRIMARY KEY, new TEXT NOT NULL
    ) STRICT, WITHOUT ROWID
    """,
    "CREATE INDEX ferry_alias_new ON ferry_alias (new)",
    """
    CREATE TABLE ferry_identity (
      class TEXT NOT NULL, objectId TEXT NOT NULL, localId INTEGER NOT NULL,
      PRIMARY KEY (class, objectId)
    ) STRICT, WITHOUT ROWID
    """,
    """
    CREATE TABLE ferry_withdrawn (
      class TEXT NOT NULL, objectId TEXT NOT NULL, PRIMARY KEY (class, objectId)
    ) STRICT, WITHOUT ROWID
    """,
    """
    CREATE TABLE ferry_conflict (
      id INTEGER PRIMARY KEY AUTOINCREMENT, time TEXT NOT NULL, class TEXT NOT NULL,
      localId INTEGER NOT NULL, objectId TEXT NOT NULL, reason TEXT NOT NULL, lost TEXT NOT NULL,
      kept TEXT NOT NULL, whole INTEGER NOT NULL, acl TEXT, restored INTEGER NOT NULL
    ) STRICT
    """,
    """
    CREATE TABLE ferry_quarantine (
      class TEXT NOT NULL, objectId TEXT NOT NULL, version TEXT, createdAt TEXT,
      raw TEXT NOT NULL, reason TEXT NOT NULL, schemaFingerprint TEXT NOT NULL,
      PRIMARY KEY (class, objectId)
    ) STRICT
    """,
    "CREATE TABLE ferry_reader (name TEXT PRIMARY KEY, token INTEGER NOT NULL) STRICT, WITHOUT ROWID",
    "CREATE TABLE ferry_bookkeeping (key TEXT PRIMARY KEY, json TEXT NOT NULL) STRICT, WITHOUT ROWID",
  ]
}
