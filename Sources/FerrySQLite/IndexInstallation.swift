// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryStore

/// Makes the declared indexes of a class, and drops those that its schema no longer declares.
///
/// An index is known by its name, which tells table and columns, so only Ferry's own are ever dropped. A class
/// that declares nothing about indexes leaves them as they are.
///
/// Two programs may declare different indexes for one store. Each index is dropped once in the life of a store: if
/// a program declares it again, another one wants it beside the newest schema, and it stays. So the programs do not
/// make and drop it in turns.
struct IndexInstallation {
  let connection: SQLiteConnection
  let entity: Entity

  private struct Definition: Equatable {
    var name: String
    var sql: String
    /// SQLite does not tell upper from lower case in names.
    var key: String { name.lowercased() }
  }

  /// Does all of it in the open transaction, within Ferry's own writes.
  func run() throws(StoreError) {
    guard let indexes = entity.indexes else { return }
    let declared = indexes.map(definition)
    var present = try present()
    let kept = Set(declared.map(\.key))
    for index in present.values where !kept.contains(index.key) {
      if try isLeftForTheFirstTime(index) { try drop(index) }
    }
    for index in declared where present[index.key] != index {
      // Another program has renamed a column, and SQLite has put the new name into the index.
      if let other = present.removeValue(forKey: index.key) { try drop(other) }
      try connection.execute(index.sql)
    }
  }

  private func definition(of index: Index) -> Definition {
    let columns = index.fields.map { entity.field($0)?.column ?? $0 }
    let name = prefix + columns.joined(separator: ",") + ")"
    let list = SQLText.list(columns.map(SQLText.column))
    let table = SQLText.name(entity.table)
    return Definition(name: name, sql: "CREATE INDEX \(SQLText.name(name)) ON \(table) (\(list))")
  }

  /// No other table's indexes begin so: a parenthesis is no part of a table's name.
  private var prefix: String { "ferry_index_\(entity.table)(" }

  /// Ferry's indexes of the class that the database has.
  private func present() throws(StoreError) -> [String: Definition] {
    let indexes = try connection.statement(
      "SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND substr(name, 1, ?1) = ?2 COLLATE NOCASE"
    ).bound(prefix.utf8.count, prefix).rows { Definition(name: $0.text(0), sql: $0.text(1)) }
    return Dictionary(indexes.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
  }

  private func drop(_ index: Definition) throws(StoreError) {
    try connection.execute("DROP INDEX \(SQLText.name(index.name))")
  }

  /// Notes that a schema leaves an index out; false if one did so before.
  private func isLeftForTheFirstTime(_ index: Definition) throws(StoreError) -> Bool {
    try connection.statement("INSERT OR IGNORE INTO ferry_meta (key, value) VALUES (?, 1)")
      .bound("left index \(index.key)").run()
    return connection.changedRows > 0
  }
}
