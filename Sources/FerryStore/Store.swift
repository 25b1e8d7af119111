// Ferry: offline-first sync for Parse Server. MIT licence.

public import FerryModel

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

  /// What a coordinator reaches the rows through.
  ///
  /// Only Ferry's own stores make one. A store of yours wraps one of them, and hands its access on.
  var syncAccess: SyncAccess { get }
}
