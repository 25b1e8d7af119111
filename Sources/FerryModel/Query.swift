// Ferry: offline-first sync for Parse Server. MIT licence.

/// Which rows of a class to read, and in which order.
///
/// ```swift
/// let open = Query("Game", where: .isNull("playedAt"), orderedBy: .ascending("title"), limit: 20)
/// let games = try store.read { try $0.records(open) }
/// ```
///
/// A query is a value: an app keeps it, compares it, and gives it to `Store.observe`. The store checks it when
/// it reads: a class or field that is not registered is an error there.
public struct Query: Sendable, Equatable {
  /// The class.
  public var className: String
  /// The condition of the rows; nil for all rows.
  public var condition: Condition?
  /// The sort order.
  ///
  /// Text is sorted by its UTF-8 bytes: capitals before small letters. Rows that are equal in the order are sorted by
  /// age, the oldest first. An empty order sorts all rows so.
  public var order: [SortOrder]
  /// The greatest number of rows; nil for all.
  public var limit: Int?
  /// The number of rows to skip at the start.
  public var offset: Int

  /// A query, by default for all rows of a class.
  public init(
    _ className: String, where condition: Condition? = nil, orderedBy order: SortOrder...,
    limit: Int? = nil, offset: Int = 0
  ) {
    self.init(className, where: condition, orderedBy: order, limit: limit, offset: offset)
  }

  /// A query with a list of orders, such as one that the user chose.
  public init(
    _ className: String, where condition: Condition? = nil, orderedBy order: [SortOrder],
    limit: Int? = nil, offset: Int = 0
  ) {
    self.className = className
    self.condition = condition
    self.order = order
    self.limit = limit
    self.offset = offset
  }

  /// The query without its offset: all its rows, and before them those that the offset skips.
  ///
  /// Use it to keep a part of a list up to date: a row that comes or goes among the skipped ones moves all others.
  ///
  /// ```swift
  /// let page = Query("Game", orderedBy: .ascending("title"), limit: 20, offset: 40)
  /// let games = try await store.read { try $0.records(page.fromFirstRow) }
  /// print(games.count)  // 60 at most
  /// ```
  public var fromFirstRow: Query {
    var query = self
    query.limit = limit.map {
      let (sum, isTooGreat) = max($0, 0).addingReportingOverflow(max(offset, 0))
      return isTooGreat ? .max : sum
    }
    query.offset = 0
    return query
  }
}
