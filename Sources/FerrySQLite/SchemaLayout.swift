// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryStore

/// The storage of all registered classes.
struct SchemaLayout: Sendable {
  let schema: Schema
  /// How often the fields of the database had changed when this layout was read.
  var fieldChanges: Int64
  private let tables: [String: TableLayout]
  private let classNames: [Int64: String]

  init(schema: Schema, tables: [TableLayout], fieldChanges: Int64 = 0) {
    self.schema = schema
    self.fieldChanges = fieldChanges
    self.tables = Dictionary(
      tables.map { ($0.entity.name, $0) }, uniquingKeysWith: { first, _ in first })
    classNames = Dictionary(
      tables.map { ($0.classNumber, $0.entity.name) }, uniquingKeysWith: { first, _ in first })
  }

  func table(_ className: String) throws(StoreError) -> TableLayout {
    if let table = tables[className] { return table }
    let entity = try schema.registered(className)
    preconditionFailure("\(entity.name) is registered, so its layout was made on opening")
  }

  /// The class with that number in the log; nil if it is no longer registered.
  func table(numbered number: Int64) -> TableLayout? { classNames[number].flatMap { tables[$0] } }

  var allTables: [TableLayout] { schema.entities.compactMap { tables[$0.name] } }
}
