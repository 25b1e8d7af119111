// Ferry: offline-first sync for Parse Server. MIT licence.

public import FerryModel

extension Store {
  /// The rows of a query, whose fields are read in batches at their first touch.
  ///
  /// ```swift
  /// let games = try store.lazyRecords(Query("Game", orderedBy: .descending("score")), batchSize: 50)
  /// print(games.count, try games.first?["title"] ?? .null)
  /// ```
  ///
  /// It reads the names of all rows at once. `LazyRecords` says which commit the fields are of.
  ///
  /// - Parameters:
  ///   - query: The query.
  ///   - batchSize: The number of rows that one query reads, from 1 to 10,000.
  /// - Returns: The list.
  /// - Throws: `StoreError` for a query that cannot be carried out.
  public func lazyRecords(
    _ query: Query, batchSize: Int = 100
  ) throws(StoreError) -> LazyRecords {
    let references = try read { db throws(StoreError) in try db.references(query) }
    return LazyRecords(references, of: query.className, in: self, batchSize: batchSize)
  }

  /// The rows of a query, without a wait on the calling thread while their names are read.
  ///
  /// ```swift
  /// let games = try await store.lazyRecords(Query("Game", orderedBy: .descending("score")))
  /// for game in games.prefix(20) { print(try game["title"]) }
  /// ```
  ///
  /// A thread of the store's own reads the names. The first touch of a batch still waits on its own thread.
  ///
  /// - Parameters:
  ///   - query: The query.
  ///   - batchSize: The number of rows that one query reads, from 1 to 10,000.
  /// - Returns: The list.
  /// - Throws: `StoreError` for a query that cannot be carried out, and `CancellationError` if the task is cancelled before
  ///   the names are read.
  public func lazyRecords(_ query: Query, batchSize: Int = 100) async throws -> LazyRecords {
    try await syncAccess.store.accessQueue.run(.reading) {
      try self.lazyRecords(query, batchSize: batchSize)
    }
  }
}
