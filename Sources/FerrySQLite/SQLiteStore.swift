// Ferry: offline-first sync for Parse Server. MIT licence.

public import FerryModel
import FerryPlanning
public import FerryStore
public import Foundation
import Synchronization

/// A store in a database file: one plain table per class, which any SQLite tool may read and write.
///
/// Triggers capture every edit in its own transaction, whether this object, another process or the
/// `sqlite3` shell makes it. Only the owner can read the file and the files beside it.
///
/// ```swift
/// let store = try SQLiteStore(at: folder.appending(path: "games.sqlite"), schema: schema)
/// let league = try store.write { try $0.insert("League", ["name": "North"]) }
/// ```
///
/// Any thread may call any method. Reads run in parallel with each other and with a write. Writes
/// wait for one another, and up to five seconds for writes of other processes.
public final class SQLiteStore: Store {
  /// The registered classes.
  public var schema: Schema { layout.schema }

  let layout: SchemaLayout
  let files: StoreFiles
  let writer: WriterQueue
  let readers: ReaderPool
  let broadcast = ChangeBroadcast()
  /// The newest change that listeners know of.
  let announced: Mutex<Int64>
  /// The folder of a clone, which is removed with it.
  let temporaryFolder: TemporaryFolder?

  /// Opens the store, or creates it.
  ///
  /// The store creates missing tables for classes and missing columns for fields. It leaves
  /// everything else in the database unchanged. It creates the folder if necessary.
  ///
  /// - Parameters:
  ///   - url: The database file.
  ///   - schema: The classes to keep.
  /// - Throws: `StoreError` for a schema that breaks a rule or does not fit existing tables, for a
  ///   file that cannot be accessed, is damaged or has a newer format, and for a full disk.
  public convenience init(at url: URL, schema: Schema) throws {
    try self.init(at: url, schema: schema, temporaryFolder: nil)
  }

  init(
    at url: URL, schema: Schema, temporaryFolder: TemporaryFolder?,
    migrations: [Migration] = Migration.all
  ) throws {
    try schema.checkForStore()
    let files = try StoreFiles(at: url)
    let writer = try WriterQueue(path: files.database)
    let (layout, token) = try writer.withConnection { connection in
      try connection.execute("BEGIN IMMEDIATE")
      do {
        try Migration.bringUpToDate(connection, by: migrations)
        let layout = try SchemaInstallation(connection: connection).install(schema)
        let reader = SQLiteReader(layout: layout, connection: connection)
        try reader.keepFolderPrivate(files)
        let token = try reader.lastToken()
        try connection.execute("COMMIT")
        return (layout, token)
      } catch {
        if connection.isInTransaction { try? connection.execute("ROLLBACK") }
        throw error
      }
    }
    self.layout = layout
    self.files = files
    self.writer = writer
    self.temporaryFolder = temporaryFolder
    readers = ReaderPool(path: files.database)
    announced = Mutex(token.rawValue)
  }

  /// A new stream that signals each commit from now on; any number of listeners may have one.
  ///
  /// It signals commits of other processes when this store is next used.
  public var changes: AsyncStream<StoreChange> { broadcast.stream() }
}

extension SQLiteReader {
  /// Keeps the mode of a folder that the store created.
  fileprivate func keepFolderPrivate(_ files: StoreFiles) throws {
    guard let identity = files.folderIdentity else { return }
    if files.madeFolder {
      try statement("INSERT OR REPLACE INTO ferry_meta (key, value) VALUES ('folder', ?)")
        .bound(identity).run()
    }
    let own = try statement("SELECT value FROM ferry_meta WHERE key = 'folder'").first {
      $0.text(0)
    }
    if own == identity { files.tightenFolder() }
  }
}
