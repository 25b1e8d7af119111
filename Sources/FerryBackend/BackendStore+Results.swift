// Ferry: offline-first sync for Parse Server. MIT licence.

public import Ferry

extension BackendStore {
  /// The rows of a query, as `StoreReader.records(_:)` reads them.
  ///
  /// ```swift
  /// let newest = Query("Photo", orderedBy: .descending("takenAt"), limit: 50)
  /// let photos = try await backend.records(newest, freshness: .always).value
  /// ```
  ///
  /// - Throws: As `answer(_:reading:freshness:named:_:)`.
  public func records(
    _ query: Query, freshness: Freshness = .within(.seconds(300)), named name: String? = nil
  ) async throws -> BackendAnswer<[Record]> {
    try await answer(query, freshness: freshness, named: name) { try $0.records(query) }
  }

  /// The rows of a query as values of a type.
  ///
  /// - Throws: As `answer(_:reading:freshness:named:_:)`, and `StoreError` for a row that the type cannot hold.
  public func all<Entity: SyncEntity & Sendable>(
    _ query: Query, as type: Entity.Type, freshness: Freshness = .within(.seconds(300)),
    named name: String? = nil
  ) async throws -> BackendAnswer<[Entity]> {
    try await answer(query, freshness: freshness, named: name) {
      try $0.all(query, as: Entity.self)
    }
  }

  /// The names of the rows of a query, without their fields.
  ///
  /// - Throws: As `answer(_:reading:freshness:named:_:)`.
  public func references(
    _ query: Query, freshness: Freshness = .within(.seconds(300)), named name: String? = nil
  ) async throws -> BackendAnswer<[RecordReference]> {
    try await answer(query, freshness: freshness, named: name) { try $0.references(query) }
  }

  /// The number of rows of a query, within its limit and offset.
  ///
  /// The rows come into the store, and are counted there.
  ///
  /// - Throws: As `answer(_:reading:freshness:named:_:)`.
  public func count(
    _ query: Query, freshness: Freshness = .within(.seconds(300)), named name: String? = nil
  ) async throws -> BackendAnswer<Int> {
    try await answer(query, freshness: freshness, named: name) { try $0.count(query) }
  }

  /// Chosen fields of the rows of a query, also behind pointers.
  ///
  /// ```swift
  /// let photos = Query("Photo", orderedBy: .ascending("title"))
  /// for row in try await backend.values(of: ["title", "album.name"], in: photos).value {
  ///   print(row["title"] ?? .null, row["album.name"] ?? .null)
  /// }
  /// ```
  ///
  /// - Throws: As `answer(_:reading:freshness:named:_:)`.
  public func values(
    of fields: [String], in query: Query, freshness: Freshness = .within(.seconds(300)),
    named name: String? = nil
  ) async throws -> BackendAnswer<[Fields]> {
    try await answer(query, reading: fields, freshness: freshness, named: name) {
      try $0.values(of: fields, in: query)
    }
  }

  /// Each value that a field has in the rows of a query, once and in ascending order.
  ///
  /// - Throws: As `answer(_:reading:freshness:named:_:)`, and `StoreError` for a field that is kept as JSON.
  public func distinctValues(
    of field: String, in query: Query, freshness: Freshness = .within(.seconds(300)),
    named name: String? = nil
  ) async throws -> BackendAnswer<[Value]> {
    try await answer(query, reading: [field], freshness: freshness, named: name) {
      try $0.distinctValues(of: field, in: query)
    }
  }

  /// Aggregates of the rows of a query, for all of them or for each group.
  ///
  /// ```swift
  /// let albums = try await backend.summaries([.count], of: Query("Photo"), groupedBy: ["album.name"])
  /// for album in albums.value { print(album.group["album.name"] ?? .null, album[.count]) }
  /// ```
  ///
  /// - Throws: As `answer(_:reading:freshness:named:_:)`, and `StoreError` as `StoreReader.summaries(_:of:groupedBy:)`.
  public func summaries(
    _ aggregates: [Aggregate], of query: Query, groupedBy groups: [String] = [],
    freshness: Freshness = .within(.seconds(300)), named name: String? = nil
  ) async throws -> BackendAnswer<[Summary]> {
    let fields = groups + aggregates.compactMap(\.readField)
    return try await answer(query, reading: fields, freshness: freshness, named: name) {
      try $0.summaries(aggregates, of: query, groupedBy: groups)
    }
  }
}

extension Aggregate {
  /// The field that it reads; nil for the number of rows.
  fileprivate var readField: String? {
    switch self {
    case .count: nil
    case .countOf(let field), .sum(let field), .average(let field), .minimum(let field),
      .maximum(let field):
      field
    }
  }
}
