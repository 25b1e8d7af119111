// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import FerryStore

/// Brings a database up to this version of Ferry and to a schema.
struct StoreOpening {
  /// The knowledge about the database after opening it.
  struct View {
    var layout: SchemaLayout
    var lastToken: Int64
    /// Whether values went to other columns, or edits went from the outbox into the log.
    var hasMovedData = false
    /// How often fields went to other columns in the life of the database.
    var moveCount: Int64
    /// The version of the database's own schema at which all columns were there.
    var schemaVersion: Int64
    /// The format of Ferry's tables.
    var format: Int64
  }

  private let schema: Schema
  private let files: StoreFiles?
  private let migrations: [Migration]
  private let makesIndexes: Bool

  /// Prepares an opening; the folder of the given files is kept private.
  ///
  /// An opening that is taken back, or that of a copy, makes no indexes: it would take longer than a scan.
  init(
    _ schema: Schema, files: StoreFiles? = nil, migrations: [Migration] = Migration.all,
    makesIndexes: Bool = true
  ) {
    self.schema = schema
    self.files = files
    self.migrations = migrations
    self.makesIndexes = makesIndexes
  }

  /// Does all of it in one transaction.
  func run(on writer: WriterQueue) throws(StoreError) -> View {
    try writer.withConnection { connection throws(StoreError) in
      try connection.begin(toWrite: true)
      do throws(StoreError) {
        let view = try perform(on: connection)
        try connection.commit()
        return view
      } catch {
        connection.rollBack()
        throw error
      }
    }
  }

  /// Does all of it in the open transaction.
  func perform(on connection: SQLiteConnection) throws(StoreError) -> View {
    try Migration.bringUpToDate(connection, by: migrations)
    let installed = try InstalledSchema(connection: connection).layout(of: schema)
    var hasMovedFields = false
    var layout: SchemaLayout
    if let installed {
      layout = installed
    } else {
      (layout, hasMovedFields) = try install(on: connection)
    }
    let reader = SQLiteReader(layout: layout, connection: connection)
    layout.fieldChanges = try reader.meta(.fieldChanges)
    let hasRemovedFields = try removeFields(from: layout, on: connection)
    if let files { try reader.keepFolderPrivate(files) }
    let position = try connection.position()
    return View(
      layout: layout, lastToken: position.lastToken,
      hasMovedData: hasRemovedFields || hasMovedFields, moveCount: position.moves,
      schemaVersion: try connection.schemaVersion(), format: position.format)
  }

  /// Installs the schema; also says whether values went to other columns.
  private func install(
    on connection: SQLiteConnection
  ) throws(StoreError) -> (SchemaLayout, hasMovedFields: Bool) {
    var installation = SchemaInstallation(connection: connection)
    let before = try installation.declaredFields()
    let layout = try installation.install(schema, makingIndexes: makesIndexes)
    let reader = SQLiteReader(layout: layout, connection: connection)
    for move in installation.moves {
      try reader.keepingBooks { () throws(StoreError) in
        try move.perform(in: reader)
        try reader.count(.moves)
      }
    }
    let transaction = SQLiteSyncTransaction(
      layout: layout, connection: connection, surroundings: .live)
    for column in installation.removed {
      try transaction.keepingBooks { () throws(StoreError) in
        try column.forgetEdits(in: transaction)
      }
    }
    if try installation.declaredFields() != before {
      try reader.keepingBooks { () throws(StoreError) in try reader.count(.fieldChanges) }
    }
    return (layout, !installation.moves.isEmpty)
  }

  /// Takes the edits of the fields that the schema leaves out from the outbox; true if there were any.
  private func removeFields(
    from layout: SchemaLayout, on connection: SQLiteConnection
  ) throws(StoreError) -> Bool {
    let transaction = SQLiteSyncTransaction(
      layout: layout, connection: connection, surroundings: .live)
    guard try FieldRemoval.isNeeded(in: transaction) else { return false }
    // A sync of another program works on the outbox. The next sync of this program takes the edits out.
    let lock = try files.map { files throws(StoreError) in try StoreLock.ifFree(path: files.lock) }
    guard lock.map({ $0 != nil }) ?? true else { return false }
    return try transaction.keepingBooks { () throws(StoreError) in
      try FieldRemoval.performAll(in: transaction)
    }
  }
}

extension SQLiteConnection {
  /// Tries something out and takes it back; nil when it would have changed the database's schema.
  func inspecting<Result>(_ body: () throws(StoreError) -> Result) throws(StoreError) -> Result? {
    try begin(toWrite: true)
    defer { rollBack() }
    let before = try schemaVersion()
    let result = try body()
    return try schemaVersion() == before ? result : nil
  }

  /// SQLite's count of the changes of tables, triggers and indexes.
  func schemaVersion() throws(StoreError) -> Int64 {
    try statement("PRAGMA schema_version").first { $0.integer(0) } ?? 0
  }
}

extension SQLiteReader {
  /// Counts that something happened once more.
  fileprivate func count(_ key: MetaKey) throws(StoreError) {
    try statement(
      "INSERT INTO ferry_meta (key, value) VALUES (?, 1)"
        + " ON CONFLICT (key) DO UPDATE SET value = value + 1"
    ).bound(key.rawValue).run()
  }

  /// Keeps the mode of a folder that the store created.
  fileprivate func keepFolderPrivate(_ files: StoreFiles) throws(StoreError) {
    guard let identity = files.folderIdentity else { return }
    if files.madeFolder {
      try keepingBooks { () throws(StoreError) in
        try statement("INSERT OR REPLACE INTO ferry_meta (key, value) VALUES ('folder', ?)")
          .bound(identity).run()
      }
    }
    let own = try statement("SELECT value FROM ferry_meta WHERE key = 'folder'").first {
      $0.text(0)
    }
    if own == identity { files.tightenFolder() }
  }
}
