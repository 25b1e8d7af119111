// Ferry: offline-first sync for Parse Server. MIT licence.

public import FerryModel
import FerryPlanning
public import FerryStore
public import Foundation
import Synchronization

/// A store in a database file: one plain table per class, which any SQLite tool may read and write.
///
/// Edits are captured by triggers in their own transaction, whoever makes them: this object, another
/// process, the `sqlite3` shell. The file and those beside it can be read by their owner only.
///
/// ```swift
/// let store = try SQLiteStore(at: folder.appending(path: "games.sqlite"), schema: schema)
/// let league = try store.write { try $0.insert("League", ["name": "North"]) }
/// ```
///
/// Every method may be called from any thread. Reads run beside each other and beside a write;
/// writes wait for one another, those of other processes up to five seconds.
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
  /// For a copy: goes with it.
  let temporaryFolder: TemporaryFolder?
  /// Where the right to sync is taken; a copy made for reading has that of its original.
  let lockPath: String
  let isReadOnly: Bool
  let surroundings: StoreSurroundings

  /// Opens the store, or makes it.
  ///
  /// Tables are made for classes that have none, and columns for fields that have none. Whatever else
  /// is in the database stays as it is. A folder that does not exist is made.
  ///
  /// - Parameters:
  ///   - url: The database file.
  ///   - schema: The classes to keep.
  /// - Throws: `StoreError` for a schema that breaks a rule or does not fit the tables there are, for
  ///   a file that cannot be accessed, is damaged or of a newer format, and for a full disk.
  public convenience init(at url: URL, schema: Schema) throws {
    try self.init(at: url, schema: schema, surroundings: .live)
  }

  /// Opens a store that is there, to look at it: the file stays as it is.
  ///
  /// A schema with classes or fields that the file lacks is met by a copy, which goes with this
  /// object. Writing and syncing are refused; a coordinator can plan.
  ///
  /// - Parameters:
  ///   - url: The database file.
  ///   - schema: The classes to read.
  /// - Throws: `StoreError` as `init(at:schema:)`, and when there is no such file.
  public convenience init(reading url: URL, schema: Schema) throws {
    try schema.checkForStore()
    let files = try StoreFiles(existing: url)
    let original = try WriterQueue(path: files.database)
    let view = try original.withConnection { connection in
      try connection.inspecting { try StoreOpening(schema).perform(on: connection) }
    }
    if let view {
      self.init(
        view, files, original, lockPath: files.lock, isReadOnly: true, temporaryFolder: nil, .live)
    } else {
      let copy = try SQLiteStore.copy(from: ReaderPool(path: files.database))
      let writer = try WriterQueue(path: copy.files.database)
      self.init(
        try StoreOpening(schema).run(on: writer), copy.files, writer, lockPath: files.lock,
        isReadOnly: true, temporaryFolder: copy.folder, .live)
    }
  }

  /// Opens a store whose times and ids are given.
  package convenience init(
    at url: URL, schema: Schema, generator: any RandomNumberGenerator & Sendable,
    now: @escaping @Sendable () -> Timestamp
  ) throws {
    try self.init(
      at: url, schema: schema, surroundings: StoreSurroundings(generator: generator, now: now))
  }

  convenience init(
    at url: URL, schema: Schema, surroundings: StoreSurroundings,
    temporaryFolder: TemporaryFolder? = nil, migrations: [Migration] = Migration.all
  ) throws {
    try schema.checkForStore()
    let files = try StoreFiles(at: url)
    let writer = try WriterQueue(path: files.database)
    self.init(
      try StoreOpening(schema, files: files, migrations: migrations).run(on: writer), files, writer,
      lockPath: files.lock, isReadOnly: false, temporaryFolder: temporaryFolder, surroundings)
  }

  private init(
    _ view: StoreOpening.View, _ files: StoreFiles, _ writer: WriterQueue, lockPath: String,
    isReadOnly: Bool, temporaryFolder: TemporaryFolder?, _ surroundings: StoreSurroundings
  ) {
    layout = view.layout
    announced = Mutex(view.lastToken)
    self.files = files
    self.writer = writer
    self.lockPath = lockPath
    self.isReadOnly = isReadOnly
    self.temporaryFolder = temporaryFolder
    self.surroundings = surroundings
    readers = ReaderPool(path: files.database)
  }

  /// Signals each commit, from the moment of the call on; any number of listeners.
  ///
  /// What other processes commit is signalled when this store is next used.
  public var changes: AsyncStream<StoreChange> { broadcast.stream() }

  /// What a coordinator reaches the store through.
  public var syncAccess: SyncAccess { SyncAccess(self) }
}
