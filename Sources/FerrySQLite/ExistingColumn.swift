// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryStore

/// A column that another program added under the name that a new field needs.
///
/// Ferry takes it only where it cannot be told from one of its own. A value in it is in no log: the
/// next import would overwrite it, and no conflict record would keep it.
enum ExistingColumn {
  /// Whether a new field can have the column that is there; false if there is none.
  ///
  /// - Throws: `StoreError.Code.invalidSchema` for a column that the field cannot have.
  static func isUsable(
    for field: Field, of entity: Entity, on connection: SQLiteConnection
  ) throws(StoreError) -> Bool {
    let found = try connection.statement(
      "SELECT name, type, \"notnull\", hidden, dflt_value FROM pragma_table_xinfo(?)"
        + " WHERE name = ? COLLATE NOCASE"
    ).bound(entity.table, field.column).first { row in
      (
        isExact: row.text(0) == field.column, type: row.text(1),
        isPlain: row.integer(2) == 0 && row.integer(3) == 0, defaultText: row.optionalText(4)
      )
    }
    guard let found else { return false }
    let type = TableLayout.columnType(field.type)
    let defaultText = field.initialValue.isNull ? nil : SQLText.literal(field.initialValue)
    guard found.isExact, found.isPlain, found.type.uppercased() == type,
      found.defaultText == defaultText
    else {
      throw refusal(field, entity, "is not the column \(field.column) \(type) that the field needs")
    }
    let table = SQLText.name(entity.table)
    let value = try connection.statement(
      "SELECT 1 FROM \(table) WHERE \(SQLText.name(field.column)) IS NOT NULL LIMIT 1"
    ).first { _ in true }
    guard value == nil else {
      throw refusal(
        field, entity,
        "holds values that Ferry has not seen, and the next sync would overwrite them")
    }
    return true
  }

  private static func refusal(_ field: Field, _ entity: Entity, _ fault: String) -> StoreError {
    let (table, column) = (SQLText.name(entity.table), SQLText.name(field.column))
    let other = SQLText.name(field.column + "Old")
    return StoreError(
      .invalidSchema,
      "Another program has added a column \(field.column) to the table \(entity.table), and the schema "
        + "now needs that name for the field \(field.name). The column \(fault). Nothing was changed. "
        + "Give the field another column, or rename this one: "
        + "ALTER TABLE \(table) RENAME COLUMN \(column) TO \(other). "
        + "Once the store is open, copy the values that should be sent: an UPDATE of the field's column is an "
        + "edit as any other.")
  }
}
