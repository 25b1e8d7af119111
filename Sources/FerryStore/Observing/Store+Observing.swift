// Ferry: offline-first sync for Parse Server. MIT licence.

public import FerryModel

extension Store {
  /// The rows of a query now, and again after each commit that changes them.
  ///
  /// ```swift
  /// let finals = Query("Game", where: .field("title", .equal, "Final"), orderedBy: .ascending("createdAt"))
  /// for try await games in store.observe(finals) { print(games.count) }
  /// ```
  ///
  /// A small commit of the app costs what it changed. The whole query is read again after a commit of a sync, after many
  /// changed rows, where a limit or an offset may let other rows in, and for a list that dates, Booleans or bytes sort.
  ///
  /// - Parameter query: The query. A class or field that is not registered ends the first iteration with its error.
  /// - Returns: The observation; nothing is read before the app iterates.
  public func observe(_ query: Query) -> StoreObservation<[Record]> {
    observing { QueryLook(query) }
  }

  /// The rows of a type's class now, and again after each commit that changes them.
  ///
  /// ```swift
  /// for try await games in store.observe(Game.self, orderedBy: .ascending("title")) { print(games.count) }
  /// ```
  ///
  /// - Parameters:
  ///   - type: The type. A row that it cannot hold ends the iteration with an error.
  ///   - condition: The condition of the rows; nil for all rows.
  ///   - order: The sort order; equal rows are sorted by age.
  ///   - limit: The greatest number of rows; nil for all.
  /// - Returns: The observation; nothing is read before the app iterates.
  public func observe<Entity: SyncEntity>(
    _ type: Entity.Type, where condition: Condition? = nil, orderedBy order: SortOrder...,
    limit: Int? = nil
  ) -> StoreObservation<[Entity]> {
    observe(Query(type.className, where: condition, orderedBy: order, limit: limit), as: type)
  }

  /// The rows of a query as values of a type now, and again after each commit that changes them.
  ///
  /// ```swift
  /// var query = Query("Game", limit: 50)
  /// query.order = [.descending("createdAt")]
  /// for try await games in store.observe(query, as: Game.self) { print(games.count) }
  /// ```
  ///
  /// - Parameters:
  ///   - query: The query.
  ///   - type: The type. A row that it cannot hold ends the iteration with an error.
  /// - Returns: The observation; nothing is read before the app iterates.
  public func observe<Entity: SyncEntity>(
    _ query: Query, as type: Entity.Type
  ) -> StoreObservation<[Entity]> {
    observing { EntityLook<Entity>(query) }
  }

  /// A value of the app's own now, and again after each commit that changes it.
  ///
  /// ```swift
  /// for try await count in store.observe({ try $0.count(of: "Game") }) { print(count) }
  /// ```
  ///
  /// The closure runs after each commit of anybody, so keep it short. Equal values that follow each other come once.
  ///
  /// - Parameter value: Makes the value of a view; do not keep the view beyond the closure.
  /// - Returns: The observation; nothing is read before the app iterates.
  public func observe<Value: Sendable & Equatable>(
    _ value: @escaping @Sendable (any StoreReader) throws -> Value
  ) -> StoreObservation<Value> {
    observing(value)
  }

  /// A value of the engine's view of a store now, and again after each commit and each other signal that changes it.
  package func observing<Value: Sendable & Equatable>(
    also signals: (@Sendable () -> AsyncStream<Void>)? = nil,
    _ value: @escaping @Sendable (any SyncReader) throws -> Value
  ) -> StoreObservation<Value> {
    observing(also: signals) { ValueLook(value) }
  }

  private func observing<Look: StoreLook>(
    also signals: (@Sendable () -> AsyncStream<Void>)? = nil,
    _ look: @escaping @Sendable () -> Look
  ) -> StoreObservation<Look.Element> {
    let store = syncAccess.store
    return StoreObservation { StoreFollower(look(), at: store, also: signals) }
  }
}
