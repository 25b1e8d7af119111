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
    /// How often they did so in the life of the database.
    var moveCount: Int64
  }

  private let schema: Schema
  private let files: StoreFiles?
  private let migrations: [Migration]

  /// Prepares an opening; the folder of the given files is kept private.
  init(_ schema: Schema, files: StoreFiles? = nil, migrations: [Migration] = Migration.all) {
    self.schema = schema
    self.files = files
    self.migrations = migrations
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
    var installation = SchemaInstallation(connection: connection)
    let layout = try installation.install(schema)
    let reader = SQLiteReader(layout: layout, connection: connection)
    for move in installation.moves {
      try reader.keepingBooks { () throws(StoreError) in
        try move.perform(in: reader)
        try reader.statement(
          "INSERT INTO ferry_meta (key, value) VALUES ('moves', 1)"
            + " ON CONFLICT (key) DO UPDATE SET value = value + 1"
        ).run()
      }
    }
    let hasRemovedFields = try removeFields(from: layout, on: connection)
    if let files { try reader.keepFolderPrivate(files) }
    return View(
      layout: layout, lastToken: try reader.lastToken().rawValue,
      hasMovedData: hasRemovedFields || !installation.moves.isEmpty,
      moveCount: try reader.moveCount())
  }

  /// Takes the edits of the fields that the schema leaves out from the outbox; true if there were any.
  private func removeFields(
    from layout: SchemaLayout, on connection: SQLiteConnection
  ) throws(StoreError) -> Bool {
    let transaction = SQLiteSyncTransaction(layout: layout, connection: connection, now: { .now })
    return try transaction.keepingBooks { () throws(StoreError) in
      var isFound = false
      for table in layout.allTables {
        for column in table.undeclared {
          guard let field = column.field else { continue }
          let removal = FieldRemoval(table: table, column: column, field: field)
          if try removal.perform(in: transaction) { isFound = true }
        }
      }
      return isFound
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

  private func schemaVersion() throws(StoreError) -> Int64 {
    try statement("PRAGMA schema_version").first { $0.integer(0) } ?? 0
  }
}

extension SQLiteReader {
  /// Refuses columns that fields have left since the store was opened: an edit of them would be lost.
  func checkColumns(since moveCount: Int64) throws(StoreError) {
    guard try self.moveCount() != moveCount else { return }
    throw StoreError(
      .invalidSchema,
      "Another program has opened the store since, with a schema that keeps a field in another column. "
        + "Nothing was read or written. Give both programs the same columns, and open the store again."
    )
  }

  fileprivate func moveCount() throws(StoreError) -> Int64 {
    try statement("SELECT value FROM ferry_meta WHERE key = 'moves'").first { $0.integer(0) } ?? 0
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
