// Ferry: offline-first sync for Parse Server. MIT licence.

import CSQLite
import FerryStore

/// What SQL of the app may do on a connection of the store.
///
/// SQLite asks for each part of a statement while it prepares it. Ferry's own statements may do everything, and so may
/// triggers and views: they do the same for every program. The rules belong to a connection for good, because SQLite
/// prepares all statements anew when it gets other ones.
final class SQLRules {
  /// The use of a statement of the app.
  enum Use {
    case reading, writing
  }

  /// A part of a statement, as SQLite asks about it.
  private struct Part {
    var action: Int32
    /// The table, or the name of a PRAGMA.
    var name: String
    /// Whether SQLite also names a column, or an argument of a PRAGMA.
    var hasDetail: Bool
    var isInTriggerOrView: Bool

    /// The one PRAGMA that changes the database when it is read as a table.
    var isOptimization: Bool { name == "pragma_optimize" }
  }

  /// The use of the statement that is being prepared; nil for one of Ferry's own.
  private var use: Use?
  private var refusal: String?

  /// Lets a connection do everything, before its rules go.
  static func remove(from connection: OpaquePointer) {
    sqlite3_set_authorizer(connection, nil, nil)
  }

  /// Makes the rules those of a connection, until they are removed from it.
  func add(to connection: OpaquePointer) -> Int32 {
    sqlite3_set_authorizer(
      connection,
      { rules, action, name, detail, _, source in
        guard let rules else { return SQLITE_OK }
        let present = Unmanaged<SQLRules>.fromOpaque(rules).takeUnretainedValue()
        // SQLite asks about each column of Ferry's own statements, too.
        guard let use = present.use else { return SQLITE_OK }
        let part = Part(
          action: action, name: name.map { String(cString: $0) } ?? "", hasDetail: detail != nil,
          isInTriggerOrView: source != nil)
        return present.allows(part, in: use) ? SQLITE_OK : SQLITE_DENY
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  /// Prepares a statement of the app.
  ///
  /// - Throws: `refusedSQL` if the rules refuse the statement, and any other error of the closure.
  func judging<Result>(
    _ use: Use, _ prepare: () throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    self.use = use
    defer { (self.use, refusal) = (nil, nil) }
    do {
      return try prepare()
    } catch {
      guard let refusal else { throw error }
      throw StoreError(.refusedSQL, refusal, cause: error.cause)
    }
  }

  private func allows(_ part: Part, in use: Use) -> Bool {
    // SQLite names a common table expression as it names a view, and a PRAGMA of the app may stand in one.
    guard !part.isInTriggerOrView || part.isOptimization,
      let reason = Self.reason(against: part, in: use)
    else { return true }
    // SQLite asks about the first part first, and that is the one which the app wrote.
    if refusal == nil { refusal = reason }
    return false
  }

  private static func reason(against part: Part, in use: Use) -> String? {
    switch part.action {
    case SQLITE_READ where part.isOptimization: return ofPragma
    case SQLITE_SELECT, SQLITE_READ, SQLITE_FUNCTION, SQLITE_RECURSIVE: return nil
    case SQLITE_INSERT, SQLITE_UPDATE, SQLITE_DELETE: return reason(againstWriting: part, in: use)
    case SQLITE_TRANSACTION, SQLITE_SAVEPOINT:
      return
        "SQL of an app cannot begin or end a transaction: the store does. Nothing was changed. Throw an error "
        + "in the closure to undo what it wrote."
    case SQLITE_PRAGMA:
      // Full-text indexes ask for them themselves when a connection first meets one.
      let isRead = ["data_version", "page_size"].contains(part.name) && !part.hasDetail
      return isRead ? nil : ofPragma
    case SQLITE_ATTACH, SQLITE_DETACH:
      return
        "SQL of an app cannot attach or detach a database. Nothing was changed. Open the other database with "
        + "a connection of its own."
    default: return ofDefinition
    }
  }

  /// A virtual table that a connection meets first writes to its own tables and declares itself, so that a query that
  /// writes is found by the whole statement instead (`AppStatements`).
  private static func reason(againstWriting part: Part, in use: Use) -> String? {
    let name = part.name.lowercased()
    // A definition begins with a row of SQLite's list. SQLite itself refuses an app's update of it.
    if ["sqlite_master", "sqlite_schema", "sqlite_temp_master"].contains(name) {
      return part.action == SQLITE_UPDATE ? nil : ofDefinition
    }
    guard use == .writing else { return nil }
    guard !name.hasPrefix("ferry_") else {
      return
        "\(part.name) is a table of Ferry's own, and Ferry alone writes to it. Nothing was changed. Write to the "
        + "tables of your classes."
    }
    guard !name.hasPrefix("sqlite_") else {
      return
        "\(part.name) is a table of SQLite's own. Nothing was changed. Write to the tables of your classes."
    }
    return nil
  }

  private static let ofPragma =
    "SQL of an app cannot contain a PRAGMA, because it could change the store's connection. Nothing was "
    + "changed. To read one, use its table, such as SELECT * FROM pragma_table_info('Game')."

  private static let ofDefinition =
    "SQL of an app cannot define, change or drop tables, indexes, triggers and views over the store's connection. "
    + "Nothing was changed. Declare classes and indexes in the schema, and define everything else over a "
    + "connection of its own before the store is opened."
}
