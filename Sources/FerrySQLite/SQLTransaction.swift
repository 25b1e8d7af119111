// Ferry: offline-first sync for Parse Server. MIT licence.

public import FerryModel
public import FerryStore

/// A write transaction of a store in a file, which also carries out plain SQL.
///
/// ```swift
/// try store.writeSQL { db in
///   try db.execute("UPDATE Game SET score = score + 1 WHERE title = ?", ["Final"])
/// }
/// ```
///
/// Use it inside the closure that received it, on that thread.
public protocol SQLTransaction: StoreTransaction, SQLReader {
  /// Carries out a statement that inserts, updates or deletes rows.
  ///
  /// Ferry captures the edits of its classes' tables in this transaction, and the next sync sends them.
  ///
  /// It writes to the tables of classes and to tables of the app's own. The store refuses writes to Ferry's tables, whose
  /// names begin with `ferry_`, and to SQLite's. It also refuses everything but `INSERT`, `UPDATE`, `DELETE` and `REPLACE`:
  /// definitions such as `CREATE` and `DROP`, the begin and end of transactions, `ATTACH` and `PRAGMA`.
  ///
  /// - Parameters:
  ///   - sql: One statement, with a `?` for each value.
  ///   - values: The values of the parameters in their order, each as the store keeps it.
  /// - Returns: The number of rows that the statement itself wrote, without those of triggers.
  /// - Throws: `StoreError` with code `invalidSQL` for SQL that is none, that reads only, that is more than one statement,
  ///   or that has another number of parameters; with `refusedSQL` for a statement that is refused; with
  ///   `wrongType` or `database` where the database takes no such row. Nothing of the statement is kept then. What
  ///   the transaction wrote before is kept unless the error leaves its closure.
  @discardableResult
  func execute(_ sql: String, _ values: [Value]) throws(StoreError) -> Int
}

extension SQLTransaction {
  /// Carries out a statement that writes and has no parameters.
  @discardableResult
  public func execute(_ sql: String) throws(StoreError) -> Int { try execute(sql, []) }
}
