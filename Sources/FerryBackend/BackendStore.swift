// Ferry: offline-first sync for Parse Server. MIT licence.

public import Ferry
public import Foundation

/// A store that answers from its rows, and asks the server for what is missing, old, or asked for afresh.
///
/// Use it for classes that a sync does not list: `Entity.onDemand()`. All other classes are complete by sync, and it answers
/// queries of them from the store alone.
///
/// ```swift
/// let backend = BackendStore(store: store, coordinator: coordinator, notes: folder.appending(path: "results.json"))
/// let album = Query("Photo", where: .field("album.name", .equal, "Rome"), orderedBy: .descending("takenAt"))
/// let answer = try await backend.records(album, freshness: .within(.seconds(60)))
/// print(answer.value.count, answer.origin)
/// ```
///
/// Each answer comes from the store, after the records of the query have come there. So unsent edits of this device count,
/// and an answer without the server means the same. It keeps the rows that came under the name of the query. Beyond a size,
/// it evicts the rows of results that were used least recently, never one with unsent edits.
///
/// It is a `Store`, too: what a `Store` does goes to the store that it wraps. Any thread may call any method. Make one for each
/// store, and keep it as long as the store.
public final class BackendStore: Sendable {
  /// How new an answer must be.
  public enum Freshness: Sendable, Hashable {
    /// The store answers alone, and no request leaves.
    case local
    /// The store answers alone if the query was asked at most so long ago, and the answer is not empty.
    case within(Duration)
    /// The server is asked in any case. If it cannot be reached, the store answers, and the answer says so.
    case always
  }

  /// The store with the rows.
  public let store: any Store
  /// The coordinator that asks the server.
  public let coordinator: SyncCoordinator
  let results: KeptResults
  let questions = SharedQuestions()
  let size: Int
  let limit: Int
  let timeout: Duration
  let now: @Sendable () -> Date

  /// Makes a store above another one; it opens and asks nothing before the first query.
  ///
  /// - Parameters:
  ///   - store: The store with the rows.
  ///   - coordinator: The coordinator of that store.
  ///   - notes: A file for the names of the results and of their rows, which nothing else may use; keep it beside the store.
  ///     Nil keeps them in memory. Then, and if the file is lost, each query is asked anew after a start.
  ///   - size: The number of rows of on-demand classes that stay. A single result may have more.
  ///   - limit: The greatest number of records that a query may bring, at least 1. An answer that needs more is not complete.
  ///   - timeout: How long the server may be silent until an answer comes from the store alone. Below one second it counts
  ///     as one second.
  ///   - now: The present time, for the age of answers; another clock in tests.
  public init(
    store: any Store, coordinator: SyncCoordinator, notes: URL? = nil, size: Int = 100_000,
    limit: Int = 10_000, timeout: Duration = .seconds(10),
    now: @escaping @Sendable () -> Date = { Date.now }
  ) {
    self.store = store
    self.coordinator = coordinator
    self.size = max(size, 0)
    self.limit = max(limit, 1)
    self.timeout = timeout
    self.now = now
    results = KeptResults(file: notes.map(NotesFile.init))
  }
}

extension BackendStore: Store {
  /// The registered classes.
  public var schema: Schema { store.schema }

  /// Reads from one consistent view of the store, and asks no server.
  public func read<Result>(
    _ body: (any StoreReader) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    try store.read(body)
  }

  /// Writes to the store in one transaction.
  @discardableResult
  public func write<Result>(
    _ body: (any StoreTransaction) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    try store.write(body)
  }

  /// A new stream that signals each commit of the store from now on.
  public var changes: AsyncStream<StoreChange> { store.changes }

  /// The access of a coordinator to the rows of the store.
  public var syncAccess: SyncAccess { store.syncAccess }
}
