// Ferry: offline-first sync for Parse Server. MIT licence.

public import FerryModel

extension StoreReader {
  /// The names of the rows of a query, in its order, without their fields.
  ///
  /// ```swift
  /// let old = Query("Game", where: .field("score", .lessThan, 1))
  /// try store.write { db in for game in try db.references(old) { try db.delete(game) } }
  /// ```
  ///
  /// - Throws: `StoreError` for a query that cannot be carried out.
  public func references(_ query: Query) throws(StoreError) -> [RecordReference] {
    var references: [RecordReference] = []
    let names = [RecordProperty.localID, .objectID].map(\.rawValue)
    try forEachRow(of: query, reading: names) { values throws(StoreError) in
      guard case .integer(let number) = values[0], case .string(let id) = values[1] else { return }
      references.append(
        RecordReference(
          className: query.className, localID: LocalID(rawValue: number), objectID: id))
    }
    return references
  }

  /// Chosen fields of the rows of a query, in its order.
  ///
  /// ```swift
  /// let query = Query("Game", orderedBy: .ascending("title"))
  /// for row in try store.read({ try $0.values(of: ["title", "league.name"], in: query) }) {
  ///   print(row["title"] ?? .null, row["league.name"] ?? .null)
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - fields: Declared fields, `objectId`, `createdAt`, `updatedAt` or `localId`, also behind pointers.
  ///   - query: The query.
  /// - Returns: The values by the names that were given; a missing value is left out.
  /// - Throws: `StoreError` for a query that cannot be carried out, and for a field that is not declared.
  public func values(of fields: [String], in query: Query) throws(StoreError) -> [Fields] {
    var rows: [Fields] = []
    try forEachRow(of: query, reading: fields) { values throws(StoreError) in
      let named = zip(fields, values).lazy.filter { !$1.isNull }
      rows.append(Fields(Dictionary(Array(named), uniquingKeysWith: { first, _ in first })))
    }
    return rows
  }

  /// Each value that a field has in the rows of a query, once and in ascending order; missing values are left out.
  ///
  /// ```swift
  /// let names = try store.read { try $0.distinctValues(of: "league.name", in: Query("Game")) }
  /// ```
  ///
  /// - Throws: `StoreError` for a query that cannot be carried out, and for a field that is kept as JSON.
  public func distinctValues(
    of field: String, in query: Query
  ) throws(StoreError) -> [Value] {
    try summaries([], of: query, groupedBy: [field]).compactMap { $0.group[field] }
  }

  /// The number of rows of a query, within its limit and offset.
  ///
  /// ```swift
  /// let open = try store.read { try $0.count(Query("Game", where: .isNull("playedAt"))) }
  /// ```
  ///
  /// - Throws: `StoreError` for a query that cannot be carried out.
  public func count(_ query: Query) throws(StoreError) -> Int {
    try query.check(in: schema)
    let all = try count(of: query.className, where: query.condition)
    return min(max(all - max(query.offset, 0), 0), query.limit.map { max($0, 0) } ?? .max)
  }

  /// Aggregates of the rows of a query, for all of them or for each group.
  ///
  /// ```swift
  /// let leagues = try store.read {
  ///   try $0.summaries([.count, .sum("score")], of: Query("Game"), groupedBy: ["league.name"])
  /// }
  /// for league in leagues { print(league.group["league.name"] ?? .null, league[.sum("score")]) }
  /// ```
  ///
  /// A limit and an offset choose the rows before they are grouped.
  ///
  /// - Parameters:
  ///   - aggregates: The aggregates of each summary.
  ///   - query: The query.
  ///   - fields: The fields by whose values rows are grouped; if there are none, all rows are one group.
  /// - Returns: A summary for each group that has rows, by the values of the fields. Without fields it is one, also of
  ///   no rows.
  /// - Throws: `StoreError` for a query that cannot be carried out, a group by a field that is kept as JSON, and a sum
  ///   of a field without numbers.
  public func summaries(
    _ aggregates: [Aggregate], of query: Query, groupedBy fields: [String] = []
  ) throws(StoreError) -> [Summary] {
    try query.check(in: schema)
    var summarizing = try Summarizing(aggregates, of: query, groupedBy: fields, in: schema)
    var query = query
    if query.limit == nil, query.offset <= 0 { query.order = [] }
    try forEachRow(of: query, reading: summarizing.fields) { values throws(StoreError) in
      summarizing.take(values)
    }
    return summarizing.summaries
  }

  /// One aggregate of all rows of a query.
  ///
  /// ```swift
  /// let best = try store.read { try $0.summary(.maximum("score"), of: Query("Game")) }
  /// ```
  ///
  /// - Throws: `StoreError` as `summaries`.
  public func summary(_ aggregate: Aggregate, of query: Query) throws(StoreError) -> Value {
    try summaries([aggregate], of: query).first?[aggregate] ?? .null
  }
}
