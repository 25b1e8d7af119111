// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel

/// The statements that create a class's table and add later fields to it.
enum TableDefinition {
  /// Without AUTOINCREMENT, SQLite would reuse the number of a deleted last row.
  static func create(_ entity: Entity) -> String {
    let own = [
      "localId INTEGER PRIMARY KEY AUTOINCREMENT",
      "objectId TEXT NOT NULL UNIQUE DEFAULT (lower(hex(randomblob(\(MintedID.length / 2)))))",
    ]
    let server = ["acl TEXT", "createdAt TEXT", "updatedAt TEXT"]
    let columns = own + entity.fields.map(column) + server
    return "CREATE TABLE \(SQLText.name(entity.table)) (\n  "
      + columns.joined(separator: ",\n  ") + "\n) STRICT"
  }

  static func add(_ field: Field, to entity: Entity) -> [String] {
    let table = SQLText.name(entity.table)
    let added = "ALTER TABLE \(table) ADD COLUMN \(column(field))"
    guard !field.defaultValue.isNull else { return [added] }
    // The default applies to new rows only; the values of existing rows are not known yet.
    return [added, "UPDATE \(table) SET \(SQLText.name(field.column)) = NULL"]
  }

  private static func column(_ field: Field) -> String {
    let definition = "\(SQLText.name(field.column)) \(TableLayout.columnType(field.type))"
    guard !field.initialValue.isNull else { return definition }
    return definition + " DEFAULT \(SQLText.literal(field.initialValue))"
  }
}
