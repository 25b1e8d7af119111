// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel

/// The statements that make a class's table, and what a later schema adds to it.
enum TableDefinition {
  /// AUTOINCREMENT, because SQLite would otherwise give the last row's number to the next one.
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
    // The default is for rows inserted from now on: of the others nobody knows the value yet.
    return [added, "UPDATE \(table) SET \(SQLText.name(field.column)) = NULL"]
  }

  private static func column(_ field: Field) -> String {
    let definition = "\(SQLText.name(field.column)) \(TableLayout.columnType(field.type))"
    guard !field.initialValue.isNull else { return definition }
    return definition + " DEFAULT \(SQLText.literal(field.initialValue))"
  }
}
