// Ferry: offline-first sync for Parse Server. MIT licence.

import CSQLite
import FerryModel
import FerryStore

/// The prepared statements of the app's own SQL on a connection.
///
/// They are kept apart from Ferry's: a text that Ferry has prepared for itself was never judged.
struct AppStatements {
  private let rules: SQLRules
  // Each use has its own, because a text that was judged for reading was not judged for writing.
  private var queries = StatementCache()
  private var executions = StatementCache()

  init(_ rules: SQLRules) { self.rules = rules }

  mutating func removeAll() {
    queries.removeAll()
    executions.removeAll()
  }

  /// A statement that reads, with its values.
  mutating func query(
    _ sql: String, _ values: [Value], on handle: OpaquePointer
  ) throws(StoreError) -> SQLiteStatement {
    let rules = rules
    let statement = try queries.statement(sql) { () throws(StoreError) in
      try rules.statement(sql, for: .reading, on: handle)
    }
    guard statement.isReadOnly else {
      throw StoreError(
        .refusedSQL,
        "A query only reads, and this SQL writes. Nothing was changed. Use execute in writeSQL.")
    }
    return try bind(values, to: statement)
  }

  /// A statement that writes, with its values.
  mutating func execution(
    _ sql: String, _ values: [Value], on handle: OpaquePointer
  ) throws(StoreError) -> SQLiteStatement {
    let rules = rules
    let statement = try executions.statement(sql) { () throws(StoreError) in
      try rules.statement(sql, for: .writing, on: handle)
    }
    guard !statement.isReadOnly, !statement.isExplanation else {
      throw StoreError(
        .invalidSQL, "This SQL writes nothing, so it was not carried out. Use query to read rows.")
    }
    return try bind(values, to: statement)
  }

  private func bind(
    _ values: [Value], to statement: SQLiteStatement
  ) throws(StoreError) -> SQLiteStatement {
    guard values.count == statement.parameterCount else {
      throw .invalidSQL(
        "it has \(statement.parameterCount.counted("parameter", "parameters")), and "
          + "\(values.count.counted("value was", "values were")) given")
    }
    return try statement.bound(values)
  }
}

extension SQLRules {
  /// A statement of the app that the rules allow for a use.
  fileprivate func statement(
    _ sql: String, for use: Use, on handle: OpaquePointer
  ) throws(StoreError) -> SQLiteStatement {
    try judging(use) { () throws(StoreError) in try SQLiteStatement(single: sql, on: handle) }
  }
}

extension SQLiteStatement {
  /// Prepares a text that is one whole statement; blanks, comments and semicolons may follow.
  ///
  /// - Throws: `StoreError` with code `invalidSQL` for a text with a fault, with no statement, or with several.
  fileprivate convenience init(single sql: String, on handle: OpaquePointer) throws(StoreError) {
    guard !sql.utf8.contains(0) else { throw .invalidSQL("it contains the character U+0000") }
    var (pointer, rest) = try Self.prepare(sql, on: handle)
    guard let pointer else { throw .invalidSQL("it does not begin with a statement") }
    self.init(pointer, on: handle)
    while !rest.isEmpty {
      let next = try? Self.prepare(rest, on: handle)
      sqlite3_finalize(next?.pointer)
      guard let next, next.pointer == nil else {
        throw .invalidSQL("it has more than one statement")
      }
      rest = next.rest
    }
  }

  /// The first statement of a text, nil if it has none, and what is behind it.
  private static func prepare(
    _ sql: String, on handle: OpaquePointer
  ) throws(StoreError) -> (pointer: OpaquePointer?, rest: String) {
    var pointer: OpaquePointer?
    var rest = ""
    let result = sql.withCString { start in
      var tail: UnsafePointer<CChar>?
      defer { if let tail { rest = String(cString: tail) } }
      return sqlite3_prepare_v3(
        handle, start, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &pointer, &tail)
    }
    guard result == SQLITE_OK else {
      let error = SQLiteError(SQLiteResultCode(rawValue: result), on: handle)
      throw error.isAboutText ? .invalidSQL(error.message, cause: error) : error.storeError
    }
    return (pointer, rest)
  }
}

extension StoreError {
  /// SQL of the app that cannot be carried out.
  static func invalidSQL(_ fault: String, cause: SQLiteError? = nil) -> StoreError {
    StoreError(
      .invalidSQL,
      "The SQL cannot be carried out: \(fault). Nothing of it was done. Correct the SQL or its values.",
      cause: cause)
  }
}

extension SQLiteError {
  /// Whether a statement of the app cannot be carried out because of what it says.
  var isAboutText: Bool {
    switch code {
    case .error, .tooBig: true
    default: false
    }
  }
}
