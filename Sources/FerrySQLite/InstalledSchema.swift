// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryStore

/// The note of the last installation: for which schema, and what the database had afterwards.
///
/// Where both are the same still, a program that opens the store has nothing to install. SQLite counts each
/// change of tables, triggers and indexes, whichever program makes it. The counted texts also tell a copy
/// that another tool has put together from the statements of this database.
struct InstalledSchema {
  let connection: SQLiteConnection

  /// The layout of a schema, if it was installed last and nobody has changed the database's own schema since.
  func layout(of schema: Schema) throws(StoreError) -> SchemaLayout? {
    let note = try connection.statement("SELECT value FROM ferry_meta WHERE key = ?")
      .bound(MetaKey.installed.rawValue).first { $0.text(0) }
    guard let note, try note == present(schema) else { return nil }
    let known = try connection.statement("SELECT name, number FROM ferry_class")
      .rows { ($0.text(0), $0.integer(1)) }
    let numbers = Dictionary(known, uniquingKeysWith: { first, _ in first })
    let installation = SchemaInstallation(connection: connection)
    var tables: [TableLayout] = []
    for entity in schema.entities {
      guard let number = numbers[entity.name],
        let table = try installation.layout(of: entity, numbered: number)
      else { return nil }
      tables.append(table)
    }
    return SchemaLayout(schema: schema, tables: tables)
  }

  /// Notes that a schema is installed; only within Ferry's own writes.
  func note(_ schema: Schema) throws(StoreError) {
    try connection.statement("INSERT OR REPLACE INTO ferry_meta (key, value) VALUES (?, ?)")
      .bound(MetaKey.installed.rawValue, try present(schema)).run()
  }

  /// A schema and what the database has, as one text.
  private func present(_ schema: Schema) throws(StoreError) -> String {
    // In one statement, SQLite would ask for the version once for each table and trigger.
    let version = try connection.schemaVersion()
    let texts = try connection.statement("SELECT count(*), total(length(sql)) FROM sqlite_schema")
      .first { "\($0.integer(0)) \($0.integer(1))" }
    return "\(version) \(texts ?? "") \(Checksum.text(of: schema.installedText.utf8))"
  }
}

extension Schema {
  /// All of a schema that tables, triggers and indexes depend on, and the views that this version of Ferry makes.
  fileprivate var installedText: String {
    let views = ReadableViews(columnCount: 0).ofStore.map(\.sql).joined(separator: "\n")
    return views
      + entities.map { entity in
        let fields = entity.fields.map { "\($0.name) \($0.type.name)" }
        let indexes = entity.indexes.map { "\($0.map(\.fields))" }
        return
          ([entity.name] + fields + [TableDefinition.create(entity)] + [indexes].compactMap(\.self))
          .joined(separator: "\n")
      }.joined(separator: "\n")
  }
}
