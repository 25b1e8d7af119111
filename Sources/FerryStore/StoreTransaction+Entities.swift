// Ferry: offline-first sync for Parse Server. MIT licence.

public import FerryModel

extension StoreReader {
  /// The rows of a type's class, by default all of them.
  ///
  /// ```swift
  /// let games = try store.read { try $0.all(Game.self, orderedBy: .ascending("title")) }
  /// ```
  ///
  /// - Throws: `StoreError` for a field that is not registered, and for a row that the type cannot
  ///   hold.
  public func all<Entity: SyncEntity>(
    _ type: Entity.Type, where condition: Condition? = nil, orderedBy order: SortOrder...,
    limit: Int? = nil
  ) throws(StoreError) -> [Entity] {
    try records(
      of: type.className, where: condition, orderedBy: order, limit: limit, offset: 0
    ).map { record throws(StoreError) in try type.init(reading: record) }
  }

  /// The rows of a query as values of a type.
  ///
  /// ```swift
  /// let newest = Query("Game", orderedBy: .descending("createdAt"), limit: 10)
  /// let games = try store.read { try $0.all(newest, as: Game.self) }
  /// ```
  ///
  /// - Throws: `StoreError` for a query that cannot be carried out, and for a row that the type cannot hold.
  public func all<Entity: SyncEntity>(
    _ query: Query, as type: Entity.Type
  ) throws(StoreError) -> [Entity] {
    try records(query).map { record throws(StoreError) in try type.init(reading: record) }
  }

  /// The row with that local id; nil if there is none.
  ///
  /// - Throws: `StoreError` if the type cannot hold the row.
  public func find<Entity: SyncEntity>(_ type: Entity.Type, _ id: LocalID) throws(StoreError)
    -> Entity?
  {
    guard let record = try record(of: type.className, localID: id) else { return nil }
    return try type.init(reading: record)
  }
}

extension StoreTransaction {
  /// Inserts a row with the values of the entity's properties, under a minted id.
  ///
  /// ```swift
  /// game.id = try store.write { try $0.insert(game).localID }
  /// ```
  ///
  /// - Parameters:
  ///   - entity: The values.
  ///   - acl: Who may read and change the record; nil for the default of its class.
  /// - Returns: The row's reference.
  /// - Throws: `StoreError` for a property that is not a declared field, a value that its field
  ///   cannot hold, or an access list that names nobody.
  @discardableResult
  public func insert<Entity: SyncEntity>(
    _ entity: Entity, acl: AccessList? = nil
  ) throws(StoreError) -> RecordReference {
    let fields = try entity.writtenFields().values.filter { !$1.isNull }
    return try insert(Entity.className, Fields(fields), acl: acl)
  }

  /// Overwrites the row with the values of the entity's properties; a nil property clears its
  /// field.
  ///
  /// - Parameters:
  ///   - entity: The values.
  ///   - acl: Who may read and change the record from now on; nil leaves its access list as it is.
  /// - Throws: `StoreError` as `insert`, and with code `noSuchRecord` if there is no such row.
  public func update<Entity: SyncEntity>(
    _ entity: Entity, acl: AccessList? = nil
  ) throws(StoreError) {
    try update(Entity.className, entity.id, entity.writtenFields(), acl: acl)
  }

  /// Deletes the entity's row.
  ///
  /// - Throws: `StoreError` with code `noSuchRecord` if there is no such row.
  public func delete<Entity: SyncEntity>(_ entity: Entity) throws(StoreError) {
    try delete(Entity.className, entity.id)
  }
}
