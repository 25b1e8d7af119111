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
    try statement(sql) { () throws(StoreError) in try SQLiteStatement(sql, on: handle) }
  }

  /// The statement of a text, which a closure prepares if it must.
  mutating func statement(
    _ sql: String, _ prepare: () throws(StoreError) -> SQLiteStatement
  ) throws(StoreError) -> SQLiteStatement {
    if let statement = statements[sql] { return statement.isBusy ? try prepare() : statement }
    let statement = try prepare()
    if statements.count >= Self.capacity { statements.removeAll() }
    statements[sql] = statement
    return statement
  }

  mutating func removeAll() { statements.removeAll() }
}
