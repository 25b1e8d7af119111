// Ferry: offline-first sync for Parse Server. MIT licence.

public import FerryModel

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
///
/// A closure that says `throws(StoreError)` makes the call throw nothing else. Any other closure may
/// throw errors of the app:
///
/// ```swift
/// do {
///   try store.write { transaction throws(StoreError) in try transaction.delete(game) }
/// } catch {
///   print(error.code)
/// }
/// ```
public protocol Store: AnyObject, Sendable {
  /// The registered classes.
  var schema: Schema { get }

  /// Reads from one consistent view.
  ///
  /// Do not keep the reader beyond the closure.
  func read<Result>(
    _ body: (any StoreReader) throws(StoreError) -> Result
  ) throws(StoreError) -> Result

  /// Writes in one transaction; an error thrown by the closure undoes all of it.
  @discardableResult
  func write<Result>(
    _ body: (any StoreTransaction) throws(StoreError) -> Result
  ) throws(StoreError) -> Result

  /// A new stream that signals each commit from now on; any number of listeners may have one.
  ///
  /// A signal says that the store changed, not how; ask the history for that. A slow listener
  /// receives several signals as one.
  var changes: AsyncStream<StoreChange> { get }

  /// The access of a coordinator to the rows.
  ///
  /// Only Ferry's own stores can make one. A custom store wraps one of them and returns its access.
  var syncAccess: SyncAccess { get }
}

extension Store {
  /// Reads from one consistent view; the closure may throw errors of the app.
  ///
  /// Do not keep the reader beyond the closure.
  ///
  /// - Throws: `StoreError` if the store cannot be read, and what the closure throws.
  public func read<Result>(_ body: (any StoreReader) throws -> Result) throws -> Result {
    var passage = ErrorPassage()
    do {
      return try read { reader throws(StoreError) in try passage.run { try body(reader) } }
    } catch {
      throw passage.result(of: error)
    }
  }

  /// Writes in one transaction; the closure may throw errors of the app, which undo all of it.
  ///
  /// - Throws: `StoreError` if the store cannot be read or written, and what the closure throws.
  @discardableResult
  public func write<Result>(_ body: (any StoreTransaction) throws -> Result) throws -> Result {
    var passage = ErrorPassage()
    do {
      return try write { transaction throws(StoreError) in try passage.run { try body(transaction) }
      }
    } catch {
      throw passage.result(of: error)
    }
  }
}
