// Ferry: offline-first sync for Parse Server. MIT licence.

public import FerryModel
public import FerryPlanning

/// The storage of an app's rows: its own tables, with every edit captured.
///
/// `SQLiteStore` keeps the rows in a database file. `InMemoryStore` keeps them in memory, for tests
/// and previews. Both behave alike, and the same tests run on both. Any thread may call any method.
/// Reads run in parallel with each other and with a write; writes run one after another.
///
/// ```swift
/// let game = try store.write { try $0.insert("Game", ["title": "Final"]) }
/// let titles = try store.read { try $0.records(of: "Game").map { $0["title"] } }
/// ```
public protocol Store: AnyObject, Sendable {
  /// The registered classes.
  var schema: Schema { get }

  /// Reads from one consistent view. Do not keep the reader beyond the closure.
  func read<Result>(_ body: (any StoreReader) throws -> Result) throws -> Result

  /// Writes in one transaction; an error thrown by the closure undoes all of it.
  @discardableResult
  func write<Result>(_ body: (any StoreTransaction) throws -> Result) throws -> Result

  /// A new stream that signals each commit from now on; any number of listeners may have one.
  ///
  /// A signal says that the store changed, not how; ask the history for that. A slow listener
  /// receives several signals as one.
  var changes: AsyncStream<StoreChange> { get }
}

/// A commit that changed the store.
public struct StoreChange: Sendable, Equatable {
  /// The newest position in history after the commit.
  public var token: HistoryToken
  /// The classes whose rows changed.
  public var classNames: Set<String>
  /// Who made the changes.
  public var authors: Set<Author>

  package init(token: HistoryToken, classNames: Set<String>, authors: Set<Author>) {
    self.token = token
    self.classNames = classNames
    self.authors = authors
  }
}

/// The additional interface of a store for the engine.
package protocol SyncStore: Store {
  /// Reads from one consistent view for the engine.
  func syncRead<Result>(_ body: (any SyncReader) throws -> Result) throws -> Result
  /// Writes in one transaction of the engine.
  func sync<Result>(_ durability: Durability, _ body: (any SyncTransaction) throws -> Result) throws
    -> Result
  /// Takes the right to sync; releasing the lock returns it.
  ///
  /// - Throws: `StoreError` with code `busy` at once if another process or coordinator has the
  ///   right.
  func lockForSync() throws -> any SyncLock
  /// A copy of the whole store for a dry run; it is removed when it is discarded or released.
  func clone() throws -> any SyncStore
  /// Removes a clone's files, even if others still use the clone; does nothing to a store that is
  /// not a clone.
  ///
  /// A program may end before the last reference is released.
  func discardClone()
}

/// The right to sync a store, held until it is released.
package protocol SyncLock: AnyObject, Sendable {
  func release()
}

/// The failures that a commit survives.
package enum Durability: Sendable {
  /// Power loss; for data that cannot be fetched again.
  case full
  /// The end of the process; for data that the next sync would fetch again.
  case normal
}
