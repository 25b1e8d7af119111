// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryStore

/// The prepared statements of a connection, by their text.
struct StatementCache {
  /// An app with more statements than this keeps making new ones; a larger cache costs more than it
  /// saves.
  private static let capacity = 200

  private var statements: [String: SQLiteStatement] = [:]

  var texts: [String] { statements.keys.sorted() }

  mutating func statement(_ sql: String, on handle: OpaquePointer) throws(StoreError)
    -> SQLiteStatement
  {
    if let statement = statements[sql] {
      return statement.isBusy ? try SQLiteStatement(sql, on: handle) : statement
    }
    let statement = try SQLiteStatement(sql, on: handle)
    if statements.count >= Self.capacity { statements.removeAll() }
    statements[sql] = statement
    return statement
  }

  mutating func removeAll() { statements.removeAll() }
}
