// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel

/// A column of a field that only other programs declare, if this program knows the field's type.
struct UndeclaredColumn {
  let field: String
  /// The column's name, quoted.
  let name: String
  let type: FieldType

  init?(_ column: CapturedColumn) {
    guard let field = column.field, let type = column.type else { return nil }
    self.field = field
    self.type = type
    name = column.name
  }
}
