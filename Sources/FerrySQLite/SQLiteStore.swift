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
  public let schema: Schema

  /// The layout as the last transaction knew it.
  let layout: Mutex<SchemaLayout>
  /// How often fields had gone to other columns when the store was opened.
  let moveCount: Int64
  /// The format of Ferry's tables when the store was opened.
  let format: Int64
  let files: StoreFiles
  let writer: WriterQueue
  let readers: ReaderPool
  let broadcast = Broadcast<StoreChange>()
  let commitBroadcast = Broadcast<Void>()
  package let accessQueue = AccessQueue()
  let writePauses = WritePauses()
  /// Notices commits of other processes, from the first listener on.
  let foreignCommits = Mutex<ForeignCommits?>(nil)
  /// The schema version of the database at which all columns were there.
  let columnsSeenAt: Mutex<Int64>
  let decodedNotes: DecodedNotes
  let announced: Mutex<AnnouncedHistory>
  /// For a copy: goes with it.
  let temporaryFolder: TemporaryFolder?
  /// For a plan's view of another store.
  let overlay: Overlay?
  /// Where the right to sync is taken; a copy made for reading has that of its original.
  let lockPath: String
  let isReadOnly: Bool
  let surroundings: StoreSurroundings

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
  public convenience init(at url: URL, schema: Schema) throws(StoreError) {
    try self.init(at: url, schema: schema, surroundings: .live)
  }

  /// Opens a store that is there, to look at it: the file stays as it is.
  ///
  /// A schema with classes, fields or columns that the file lacks is met by a copy, which goes with this
  /// object. So is a file or a folder that may only be read. Writing and syncing are refused; a coordinator can plan.
  ///
  /// - Parameters:
  ///   - url: The database file.
  ///   - schema: The classes to read.
  /// - Throws: `StoreError` as `init(at:schema:)`, and when there is no such file.
  public convenience init(reading url: URL, schema: Schema) throws(StoreError) {
    try schema.checkForStore()
    let files = try StoreFiles(existing: url)
    guard files.canBeWritten else {
      try self.init(copying: files, schema: schema)
      return
    }
    let original = try WriterQueue(path: files.database, for: .inspecting)
    let view = try original.withConnection { connection throws(StoreError) in
      try connection.inspecting { () throws(StoreError) in
        try StoreOpening(schema, makesIndexes: false).perform(on: connection)
      }
    }
    if let view, !view.hasMovedData {
      self.init(
        view, files, original, lockPath: files.lock, isReadOnly: true, temporaryFolder: nil, .live)
    } else {
      let copy = try ReaderPool(path: files.database).withConnection(SQLiteStore.copy)
      let writer = try WriterQueue(path: copy.files.database)
      self.init(
        try StoreOpening(schema, makesIndexes: false).run(on: writer), copy.files, writer,
        lockPath: files.lock, isReadOnly: true, temporaryFolder: copy.folder, .live)
    }
  }

  /// Opens a store whose times and ids are given, and maybe how many rows of a page it updates in bulk.
  package convenience init(
    at url: URL, schema: Schema, generator: any RandomNumberGenerator & Sendable,
    bulkUpdate: Int? = nil, now: @escaping @Sendable () -> Timestamp
  ) throws(StoreError) {
    try self.init(
      at: url, schema: schema,
      surroundings: StoreSurroundings(generator: generator, bulkUpdate: bulkUpdate, now: now))
  }

  convenience init(
    at url: URL, schema: Schema, surroundings: StoreSurroundings,
    temporaryFolder: TemporaryFolder? = nil, migrations: [Migration] = Migration.all
  ) throws(StoreError) {
    try schema.checkForStore()
    let files = try StoreFiles(at: url)
    let writer = try WriterQueue(path: files.database)
    self.init(
      try StoreOpening(schema, files: files, migrations: migrations).run(on: writer), files, writer,
      lockPath: files.lock, isReadOnly: false, temporaryFolder: temporaryFolder, surroundings)
  }

  init(
    _ view: StoreOpening.View, _ files: StoreFiles, _ writer: WriterQueue, lockPath: String,
    isReadOnly: Bool, temporaryFolder: TemporaryFolder?, _ surroundings: StoreSurroundings,
    decodedNotes: DecodedNotes = DecodedNotes(), overlay: Overlay? = nil
  ) {
    self.overlay = overlay
    self.decodedNotes = decodedNotes
    schema = view.layout.schema
    layout = Mutex(view.layout)
    moveCount = view.moveCount
    format = view.format
    columnsSeenAt = Mutex(view.schemaVersion)
    announced = Mutex(AnnouncedHistory(last: view.lastToken))
    self.files = files
    self.writer = writer
    self.lockPath = lockPath
    self.isReadOnly = isReadOnly
    self.temporaryFolder = temporaryFolder
    self.surroundings = surroundings
    readers = ReaderPool(path: files.database, through: overlay)
  }

  /// A new stream that signals each commit from now on; any number of listeners may have one.
  ///
  /// A commit of another process is signalled within a tenth of a second. If the file goes back to a backup, the
  /// signal names all classes and authors.
  public var changes: AsyncStream<StoreChange> {
    watchForeignCommits()
    return broadcast.stream()
  }

  /// The access of a coordinator to this store.
  public var syncAccess: SyncAccess { SyncAccess(self) }
}
