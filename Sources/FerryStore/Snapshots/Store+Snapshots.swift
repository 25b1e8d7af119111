// Ferry: offline-first sync for Parse Server. MIT licence.

public import FerryModel

extension Store {
  /// The rows of a query as they are now, which stay so until the app merges, and may be edited before they are saved.
  ///
  /// ```swift
  /// let games = try await store.snapshot(of: Query("Game", limit: 50))
  /// print(await games.rows.count)
  /// ```
  ///
  /// - Parameter query: The query. Use a limit for a long list: the snapshot keeps its rows in memory.
  /// - Returns: The snapshot.
  /// - Throws: `StoreError` for a query that cannot be carried out, and if the store cannot be read.
  @MainActor
  public func snapshot(of query: Query) throws(StoreError) -> Snapshot {
    try Snapshot(query, in: self)
  }

  /// The rows of a query as they are now, read without a wait on the calling thread.
  ///
  /// - Parameter query: The query.
  /// - Returns: The snapshot.
  /// - Throws: `StoreError`, as the blocking form, and `CancellationError` if the task is cancelled.
  @MainActor
  public func snapshot(of query: Query) async throws -> Snapshot {
    try await Snapshot(query, in: self)
  }
}
