// Ferry: offline-first sync for Parse Server. MIT licence.

public import FerryModel
public import FerryStore

/// One consistent view of a store in a file, which also answers plain SQL.
///
/// ```swift
/// struct Place: Decodable {
///   var name: String?
///   var games: Int
/// }
/// let places = try store.readSQL { db in
///   try db.query(
///     "SELECT League.name, count(*) AS games FROM Game LEFT JOIN League ON League.objectId = league"
///       + " WHERE score > ? GROUP BY league", [2], as: Place.self)
/// }
/// ```
///
/// Use it inside the closure that received it, on that thread.
public protocol SQLReader: StoreReader {
  /// The rows of a statement that reads.
  ///
  /// A property takes the column of its name. See `query(_:_:as:)` of `SQLiteStore` for types, values and errors.
  ///
  /// - Parameters:
  ///   - sql: One statement, with a `?` for each value.
  ///   - values: The values of the parameters, in their order.
  ///   - type: The type of a row.
  /// - Returns: The rows in the order of the statement.
  /// - Throws: `StoreError`.
  func query<Row: Decodable>(
    _ sql: String, _ values: [Value], as type: Row.Type
  ) throws(StoreError) -> [Row]
}

extension SQLReader {
  /// The rows of a statement that reads and has no parameters.
  public func query<Row: Decodable>(
    _ sql: String, as type: Row.Type
  ) throws(StoreError) -> [Row] {
    try query(sql, [], as: type)
  }
}
