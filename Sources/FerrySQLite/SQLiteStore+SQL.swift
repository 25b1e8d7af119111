// Ferry: offline-first sync for Parse Server. MIT licence.

public import FerryModel
public import FerryStore

// Plain SQL over the store's own connections.
extension SQLiteStore {
  /// The rows of a statement that reads, from one consistent view.
  ///
  /// ```swift
  /// struct Tally: Decodable {
  ///   var title: String?
  ///   var games: Int
  /// }
  /// let tallies = try store.query(
  ///   "SELECT title, count(*) AS games FROM Game WHERE score > ? GROUP BY title", [2], as: Tally.self)
  /// ```
  ///
  /// A property takes the column of its name; `AS` names a column. A column that no property asks for is skipped. A type of
  /// one value, such as `Int`, takes rows of one column. `[String: Value]` takes any row.
  ///
  /// | property | column |
  /// | --- | --- |
  /// | `Int` and other whole numbers | a whole number that fits |
  /// | `Double`, `Float` | a number |
  /// | `Bool` | 0 or 1 |
  /// | `String`, `URL`, an enumeration of texts | a text |
  /// | `Date`, `Timestamp` | a text, in a form that a Date column may have |
  /// | `Data`, `[UInt8]` | a BLOB |
  /// | `GeoPoint`, `File`, arrays, dictionaries and other `Decodable` types | JSON |
  /// | `Value` | any, as `integer`, `number`, `string`, `bytes` or `null` |
  /// | an optional one | the same, or `NULL`, or no column |
  ///
  /// Values are bound as the store keeps them: a date as a text, a Boolean as 0 or 1, a pointer as its object id,
  /// lists and objects as JSON.
  ///
  /// - Parameters:
  ///   - sql: One statement, with a `?` for each value.
  ///   - values: The values of the parameters, in their order.
  ///   - type: The type of a row.
  /// - Returns: The rows in the order of the statement.
  /// - Throws: `StoreError` with code `invalidSQL` for SQL that is none, that is more than one statement, that has another
  ///   number of parameters, or that gives two columns one name; with `refusedSQL` for a statement that writes, or
  ///   changes the connection; with `wrongType` for a row that the type cannot hold, with its number and column. The
  ///   store is unchanged.
  public func query<Row: Decodable>(
    _ sql: String, _ values: [Value] = [], as type: Row.Type
  ) throws(StoreError) -> [Row] {
    try reading { reader throws(StoreError) in try reader.query(sql, values, as: type) }
  }

  /// The rows of a statement that reads, without a wait on the calling thread.
  ///
  /// ```swift
  /// let count = try await store.query("SELECT count(*) FROM Game", as: Int.self)
  /// ```
  ///
  /// - Throws: As the other form, and `CancellationError` if the task is cancelled before all rows are read. A statement that
  ///   SQLite is answering then ends.
  public func query<Row: Decodable & Sendable>(
    _ sql: String, _ values: [Value] = [], as type: Row.Type
  ) async throws -> [Row] {
    try await accessQueue.run(.reading) { try self.query(sql, values, as: type) }
  }

  /// Reads rows and the results of SQL from one consistent view.
  ///
  /// Do not keep the reader beyond the closure.
  public func readSQL<Result>(
    _ body: (any SQLReader) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    try reading(body)
  }

  /// Reads rows and the results of SQL from one consistent view; the closure may throw errors of the app.
  ///
  /// - Throws: `StoreError` if the store cannot be read, and what the closure throws.
  public func readSQL<Result>(_ body: (any SQLReader) throws -> Result) throws -> Result {
    var passage = ErrorPassage()
    do {
      return try readSQL { reader throws(StoreError) in try passage.run { try body(reader) } }
    } catch {
      throw passage.result(of: error)
    }
  }

  /// Reads rows and the results of SQL from one consistent view, without a wait on the calling thread.
  ///
  /// - Throws: `StoreError` if the store cannot be read, what the closure throws, and `CancellationError` if the task is
  ///   cancelled before the closure is done.
  public func readSQL<Result: Sendable>(
    _ body: @escaping @Sendable (any SQLReader) throws -> Result
  ) async throws -> Result {
    try await accessQueue.run(.reading) { try self.readSQL(body) }
  }

  /// A value of rows and the results of SQL now, and again after each commit that changes it.
  ///
  /// ```swift
  /// let totals = store.observeSQL { try $0.query("SELECT sum(score) FROM Game", as: Int?.self) }
  /// for try await total in totals { print(total) }
  /// ```
  ///
  /// The closure runs after each commit of anybody, so keep it short. Equal values that follow each other come once.
  ///
  /// - Parameter value: Makes the value of a view; do not keep the view beyond the closure. If it throws, the observation
  ///   ends with that error.
  /// - Returns: The observation; nothing is read before the app iterates.
  public func observeSQL<Value: Sendable & Equatable>(
    _ value: @escaping @Sendable (any SQLReader) throws -> Value
  ) -> StoreObservation<Value> {
    observing { reader in
      guard let reader = reader as? any SQLReader else {
        throw StoreError(.invalidSQL, "This view of the store knows no SQL. Nothing was read.")
      }
      return try value(reader)
    }
  }

  /// Writes rows, also with SQL, in one transaction; an error thrown by the closure undoes all of it.
  ///
  /// When this returns, the change survives a loss of power.
  @discardableResult
  public func writeSQL<Result>(
    _ body: (any SQLTransaction) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    try writing(body)
  }

  /// Writes rows, also with SQL, in one transaction; the closure may throw errors of the app, which undo all of it.
  ///
  /// - Throws: `StoreError` if the store cannot be read or written, and what the closure throws.
  @discardableResult
  public func writeSQL<Result>(_ body: (any SQLTransaction) throws -> Result) throws -> Result {
    var passage = ErrorPassage()
    do {
      return try writeSQL { transaction throws(StoreError) in
        try passage.run { try body(transaction) }
      }
    } catch {
      throw passage.result(of: error)
    }
  }

  /// Writes rows, also with SQL, in one transaction, without a wait on the calling thread.
  ///
  /// - Throws: `StoreError` if the store cannot be read or written, what the closure throws, and `CancellationError` if
  ///   the task is cancelled before the commit. Then nothing was written.
  @discardableResult
  public func writeSQL<Result: Sendable>(
    _ body: @escaping @Sendable (any SQLTransaction) throws -> Result
  ) async throws -> Result {
    try await accessQueue.run(.writing) { try self.writeSQL(body) }
  }
}
