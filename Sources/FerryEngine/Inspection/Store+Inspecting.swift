// Ferry: offline-first sync for Parse Server. MIT licence.

public import FerryStore

extension Store {
  /// Reads from one consistent view what is unsent and how far each class is synced.
  ///
  /// Any thread may call it, also during a run. A run does not change the view.
  ///
  /// ```swift
  /// let waiting = try store.inspect { try $0.pendingChanges(of: "Game") }
  /// for change in waiting { print(change.kind, change.fields, change.reason ?? "") }
  /// ```
  ///
  /// - Parameter body: Receives the view; do not keep it beyond the closure.
  /// - Returns: The closure's result.
  /// - Throws: `StoreError` if the store cannot be read, and that of the closure.
  public func inspect<Result>(
    _ body: (StoreInspection) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    try syncAccess.store.syncRead { reader throws(StoreError) in
      try body(StoreInspection(reader))
    }
  }

  /// Reads what is unsent and how far each class is synced; the closure may throw errors of the app.
  ///
  /// - Parameter body: Receives the view; do not keep it beyond the closure.
  /// - Returns: The closure's result.
  /// - Throws: `StoreError` if the store cannot be read, and what the closure throws.
  public func inspect<Result>(_ body: (StoreInspection) throws -> Result) throws -> Result {
    var passage = ErrorPassage()
    do {
      return try inspect { store throws(StoreError) in try passage.run { try body(store) } }
    } catch {
      throw passage.result(of: error)
    }
  }

  /// Reads what is unsent and how far each class is synced, without a wait on the calling thread.
  ///
  /// ```swift
  /// let unsent = try await store.inspect { try $0.pendingCounts() }
  /// ```
  ///
  /// A thread of the store's own runs the closure, as that of `read`.
  ///
  /// - Parameter body: Receives the view; do not keep it beyond the closure.
  /// - Returns: The closure's result.
  /// - Throws: `StoreError` if the store cannot be read, what the closure throws, and `CancellationError` if the
  ///   task is cancelled before the closure is done.
  public func inspect<Result: Sendable>(
    _ body: @escaping @Sendable (StoreInspection) throws -> Result
  ) async throws -> Result {
    try await syncAccess.store.accessQueue.run(.reading) { try self.inspect(body) }
  }
}
