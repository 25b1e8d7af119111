// Ferry: offline-first sync for Parse Server. MIT licence.

extension Store {
  /// Reads from one consistent view, without a wait on the calling thread.
  ///
  /// ```swift
  /// let titles = try await store.read { try $0.records(of: "Game").map { $0["title"] } }
  /// ```
  ///
  /// A thread of the store's own runs the closure, so no thread of Swift's pool waits for the disk. At most four such
  /// reads run at once; others wait for their turn.
  ///
  /// - Parameter body: Receives the view; do not keep it beyond the closure.
  /// - Returns: The closure's result.
  /// - Throws: `StoreError` if the store cannot be read, what the closure throws, and `CancellationError` if the
  ///   task is cancelled before the closure is done. A question that SQLite is answering then ends.
  public func read<Result: Sendable>(
    _ body: @escaping @Sendable (any StoreReader) throws -> Result
  ) async throws -> Result {
    try await syncAccess.store.accessQueue.run(.reading) { try self.read(body) }
  }

  /// Writes in one transaction, without a wait on the calling thread.
  ///
  /// ```swift
  /// let game = try await store.write { try $0.insert("Game", ["title": "Final"]) }
  /// ```
  ///
  /// A thread of the store's own runs the closure. Such writes run one after another, in the order of their calls.
  ///
  /// - Parameter body: Receives the transaction; do not keep it beyond the closure. An error that it throws undoes
  ///   all of it.
  /// - Returns: The closure's result.
  /// - Throws: `StoreError` if the store cannot be read or written, what the closure throws, and
  ///   `CancellationError` if the task is cancelled before the commit. Then nothing was written.
  @discardableResult
  public func write<Result: Sendable>(
    _ body: @escaping @Sendable (any StoreTransaction) throws -> Result
  ) async throws -> Result {
    try await syncAccess.store.accessQueue.run(.writing) { try self.write(body) }
  }
}
