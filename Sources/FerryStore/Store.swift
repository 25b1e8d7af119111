// Ferry: offline-first sync for Parse Server. MIT licence.

public import FerryModel
public import FerryPlanning

/// Where an app's rows live: its own tables, with every edit captured.
///
/// `SQLiteStore` keeps them in a database file, `InMemoryStore` in memory, for tests and previews.
/// Both behave alike; one suite of tests runs over both. Every method may be called from any thread:
/// reads run beside each other and beside a write, writes one after another.
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

  /// Writes in one transaction: what the closure throws undoes all of it.
  @discardableResult
  func write<Result>(_ body: (any StoreTransaction) throws -> Result) throws -> Result

  /// Signals each commit, from the moment of the call on; any number of listeners.
  ///
  /// A signal says that something changed, not what: ask history for that. Signals that come
  /// faster than they are read are united.
  var changes: AsyncStream<StoreChange> { get }
}

/// Says that a commit changed the store.
public struct StoreChange: Sendable, Equatable {
  /// The newest place in history after the commit.
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

/// What the engine asks of a store beside what an app does.
package protocol SyncStore: Store {
  /// A view for the engine.
  func syncRead<Result>(_ body: (any SyncReader) throws -> Result) throws -> Result
  /// A transaction of the engine's.
  func sync<Result>(_ durability: Durability, _ body: (any SyncTransaction) throws -> Result) throws
    -> Result
  /// Takes the right to sync; released when the lock goes.
  ///
  /// - Throws: `StoreError` with code `busy` at once when another process or coordinator has it.
  func lockForSync() throws -> any SyncLock
  /// A copy of everything, to try things on; it is gone when it is discarded or released.
  func clone() throws -> any SyncStore
  /// Removes what a clone keeps on disk, whoever still holds it; nothing of a store that is no clone.
  ///
  /// A program may end before the last one lets go.
  func discardClone()
}

/// The right to sync a store, held until it is released or goes.
package protocol SyncLock: AnyObject, Sendable {
  func release()
}

/// What a commit survives.
package enum Durability: Sendable {
  /// Power loss: for what cannot be had again.
  case full
  /// The end of the process: for what the next sync would bring again.
  case normal
}
