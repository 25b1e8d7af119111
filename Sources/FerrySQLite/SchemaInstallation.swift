// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryStore

/// Makes the tables and triggers of a schema, or brings them up to it, in the open transaction.
struct SchemaInstallation {
  let connection: SQLiteConnection
  /// The words by which messages name the schema.
  private var schemaName = ""
  /// The fields that have another column than before; their values are still in the old ones.
  private(set) var moves: [FieldMove] = []
  /// The fields whose columns another program has removed.
  private(set) var removed: [RemovedColumn] = []

  init(connection: SQLiteConnection) { self.connection = connection }

  /// Makes tables, columns, triggers, and the indexes if they are wanted.
  mutating func install(
    _ schema: Schema, makingIndexes makesIndexes: Bool
  ) throws(StoreError) -> SchemaLayout {
    schemaName = schema.name
    try connection.beginOwnWrites()
    try dropViews(named: schema.entities)
    var layouts: [TableLayout] = []
    for entity in schema.entities { layouts.append(try install(entity)) }
    let positions = layouts.flatMap(\.captured).map(\.position)
    try widenLog(to: (positions.max() ?? -1) + 1)
    try installTriggers(layouts.flatMap { CaptureTriggers(layout: $0).all } + BookkeepingGuard.all)
    try installViews(of: schema.entities)
    if makesIndexes {
      for entity in schema.entities {
        try IndexInstallation(connection: connection, entity: entity).run()
      }
    }
    try InstalledSchema(connection: connection).note(schema)
    try connection.endOwnWrites()
    return SchemaLayout(schema: schema, tables: layouts)
  }

  /// A layout with the fields that other programs have declared since.
  func refreshed(_ layout: SchemaLayout, fieldChanges: Int64) throws(StoreError) -> SchemaLayout {
    var tables: [TableLayout] = []
    for table in layout.allTables {
      tables.append(
        TableLayout(
          classNumber: table.classNumber, entity: table.entity, positions: table.positions,
          captured: try capturedColumns(
            numbered: table.classNumber, columnDefaults(of: table.entity))))
    }
    return SchemaLayout(schema: layout.schema, tables: tables, fieldChanges: fieldChanges)
  }

  /// The layout of a class that is installed; nil if a field has no place.
  func layout(of entity: Entity, numbered number: Int64) throws(StoreError) -> TableLayout? {
    let captured = try capturedColumns(numbered: number, columnDefaults(of: entity))
    let places = Dictionary(
      captured.map { ($0.name, $0.position) }, uniquingKeysWith: { first, _ in first })
    let positions = entity.fields.compactMap { places[SQLText.name($0.column)] }
    guard positions.count == entity.fields.count else { return nil }
    return TableLayout(
      classNumber: number, entity: entity, positions: positions, captured: captured)
  }

  /// The fields of all classes, as a text to compare.
  func declaredFields() throws(StoreError) -> String {
    try connection.statement(
      "SELECT class, position, columnName, type, ifnull(fieldName, '') FROM ferry_field"
        + " ORDER BY class, position"
    ).rows { row in (0..<5).map { row.text($0) }.joined(separator: " ") }.joined(separator: "\n")
  }

  private mutating func install(_ entity: Entity) throws(StoreError) -> TableLayout {
    let known = try connection.statement("SELECT number, tableName FROM ferry_class WHERE name = ?")
      .bound(entity.name).first { ($0.integer(0), $0.text(1)) }
    guard let (number, table) = known else { return try create(entity) }
    guard table == entity.table else {
      throw StoreError(
        .invalidSchema,
        "The class \(entity.name) is kept in the table \(table), and \(schemaName) now names the table "
          + "\(entity.table). Nothing was changed. Give the class its old table again.")
    }
    try refuseMissingTable(of: entity)
    try refuseForeignUniqueIndexes(of: entity)
    try refuseColumnsOfOtherFields(of: entity, numbered: number)
    try RenamedColumns(connection: connection, entity: entity, classNumber: number)
      .makeAgain { () throws(StoreError) in try dropTriggers(numbered: number) }
    var columns = try columnDefaults(of: entity)
    var positions: [Int] = []
    for field in entity.fields {
      let place = try position(of: field, in: entity, numbered: number, &columns)
      try settle(field, at: place, of: entity, numbered: number, columns)
      positions.append(place)
    }
    return TableLayout(
      classNumber: number, entity: entity, positions: positions,
      captured: try capturedColumns(numbered: number, columns))
  }

  private func create(_ entity: Entity) throws(StoreError) -> TableLayout {
    let isTaken = try connection.statement("SELECT 1 FROM sqlite_schema WHERE name = ?")
      .bound(entity.table).first { _ in true }
    guard isTaken == nil else {
      throw StoreError(
        .invalidSchema,
        "The database has a table, view or index \(entity.table) that Ferry did not make, so the "
          + "class \(entity.name) cannot be kept there. Nothing was changed. Give the class "
          + "another table.")
    }
    try connection.execute(TableDefinition.create(entity))
    try connection.statement("INSERT INTO ferry_class (name, tableName) VALUES (?, ?)")
      .bound(entity.name, entity.table).run()
    let number = connection.lastInsertedRow
    for (position, field) in entity.fields.enumerated() {
      try record(field, at: position, of: number)
    }
    return TableLayout(
      classNumber: number, entity: entity, positions: Array(entity.fields.indices),
      captured: try capturedColumns(numbered: number, columnDefaults(of: entity)))
  }

  /// The columns of all fields that were ever declared, as far as nobody dropped them.
  private func capturedColumns(
    numbered number: Int64, _ present: [String: String]
  ) throws(StoreError) -> [CapturedColumn] {
    try connection.statement(
      "SELECT columnName, position, type, fieldName FROM ferry_field WHERE class = ?"
        + " ORDER BY position"
    ).bound(number).rows { row in
      present[row.text(0)].map {
        CapturedColumn(
          name: SQLText.name(row.text(0)), field: row.optionalText(3), position: row.count(1),
          type: FieldType(name: row.text(2)), defaultText: $0)
      }
    }.compactMap(\.self)
  }

  /// The columns that the table has, with their defaults as SQL.
  ///
  /// To SQLite, a name in other letters, from a to Z, is the same. So a column has the name by which Ferry knows it.
  private func columnDefaults(of entity: Entity) throws(StoreError) -> [String: String] {
    let columns = try connection.statement(
      "SELECT ifnull(columnName, i.name), dflt_value FROM pragma_table_info(?1) i"
        + " LEFT JOIN ferry_field ON columnName = i.name COLLATE NOCASE"
        + " AND class = (SELECT number FROM ferry_class c WHERE c.name = ?2)"
    ).bound(entity.table, entity.name).rows { ($0.text(0), $0.optionalText(1) ?? "NULL") }
    return Dictionary(columns, uniquingKeysWith: { first, _ in first })
  }

  /// Where the log keeps a field; a field that is new gets a column and the next place.
  private mutating func position(
    of field: Field, in entity: Entity, numbered number: Int64, _ columns: inout [String: String]
  ) throws(StoreError) -> Int {
    let known = try connection.statement(
      "SELECT position, type FROM ferry_field WHERE class = ? AND columnName = ?"
    ).bound(number, field.column).first { ($0.count(0), $0.text(1)) }
    let type = field.type.name
    if let (position, knownType) = known {
      guard knownType == type else {
        throw StoreError(
          .invalidSchema,
          "The field \(field.name) of the class \(entity.name) is kept as \(knownType), and "
            + "\(schemaName) now says \(type). Nothing was changed. Give the field another column, such "
            + "as \"\(field.column)2\"; the next sync fills it. If nothing is unsent, you can also move the store's files away: "
            + "the next sync makes it anew.")
      }
      if columns[field.column] == nil {
        columns = try add(field, to: entity, numbered: number)
        removed.append(
          RemovedColumn(
            field: field, className: entity.name, classNumber: number, position: position))
      }
      return position
    }
    let next = try connection.statement(
      "SELECT ifnull(max(position), -1) + 1 FROM ferry_field WHERE class = ?"
    ).bound(number).first { $0.count(0) }
    if try !ExistingColumn.isUsable(for: field, of: entity, on: connection) {
      columns = try add(field, to: entity, numbered: number)
    }
    try record(field, at: next ?? 0, of: number)
    return next ?? 0
  }

  /// Adds a column, and returns what the table has then.
  private func add(
    _ field: Field, to entity: Entity, numbered number: Int64
  ) throws(StoreError) -> [String: String] {
    // The triggers know the columns by name, and would log what fills the new one.
    try dropTriggers(numbered: number)
    for statement in TableDefinition.add(field, to: entity) { try connection.execute(statement) }
    return try columnDefaults(of: entity)
  }

  private func record(_ field: Field, at position: Int, of number: Int64) throws(StoreError) {
    try connection.statement(
      "INSERT INTO ferry_field (class, position, columnName, type, fieldName)"
        + " VALUES (?, ?, ?, ?, ?)"
    ).bound(number, position, field.column, field.type.name, field.name).run()
  }

  /// Notes which column a field has now, and that it had another one before.
  private mutating func settle(
    _ field: Field, at position: Int, of entity: Entity, numbered number: Int64,
    _ present: [String: String]
  ) throws(StoreError) {
    let former = try connection.statement(
      "SELECT position, columnName, type FROM ferry_field"
        + " WHERE class = ? AND fieldName = ? AND position <> ?"
    ).bound(number, field.name, position).first { ($0.count(0), $0.text(1), $0.text(2)) }
    if let (formerPosition, column, type) = former, present[column] != nil {
      moves.append(
        FieldMove(
          entity: entity, field: field, classNumber: number, position: position,
          formerColumn: SQLText.name(column), formerPosition: formerPosition, formerType: type))
    }
    try connection.statement(
      "UPDATE ferry_field SET fieldName = iif(position = ?1, ?2, NULL)"
        + " WHERE class = ?3 AND (position = ?1 OR fieldName = ?2)"
    ).bound(position, field.name, number).run()
  }

  /// DROP TABLE fires no trigger, so what became of the rows is not known.
  private func refuseMissingTable(of entity: Entity) throws(StoreError) {
    let table = try connection.statement(
      "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?"
    ).bound(entity.table).first { _ in true }
    guard table == nil else { return }
    throw StoreError(
      .damaged,
      "The store has lost the table \(entity.table) of the class \(entity.name): another program "
        + "dropped or renamed it. Nothing was changed. If it was renamed, give it "
        + "its name again. If it was dropped, put a copy of the store in place. Without a copy, move the "
        + "store's files away and sync into a new store; only unsent changes are lost by that.")
  }

  /// A rule that the server does not know would keep its rows out, and REPLACE would remove rows
  /// by it that nobody asked to delete.
  private func refuseForeignUniqueIndexes(of entity: Entity) throws(StoreError) {
    let index = try connection.statement(
      "SELECT name FROM pragma_index_list(?) WHERE \"unique\" AND origin = 'c'"
    ).bound(entity.table).first { $0.text(0) }
    guard let index else { return }
    throw StoreError(
      .invalidSchema,
      "The table \(entity.table) has a unique index \(index). The server knows no such rule, so its "
        + "rows could not all be stored. Nothing was changed. Drop the index, or make it a plain "
        + "one.")
  }

  /// One column cannot hold the unsent values of two fields.
  ///
  /// A field with a new name may take the column of a field that is gone: then the field has been renamed.
  private func refuseColumnsOfOtherFields(
    of entity: Entity, numbered number: Int64
  ) throws(StoreError) {
    let places = try connection.statement(
      "SELECT columnName, fieldName FROM ferry_field WHERE class = ? AND fieldName IS NOT NULL"
    ).bound(number).rows { ($0.text(0), $0.text(1)) }
    let holders = Dictionary(places, uniquingKeysWith: { first, _ in first })
    let known = Set(holders.values)
    for field in entity.fields {
      guard let holder = holders[field.column], holder != field.name,
        known.contains(field.name) || entity.field(holder) != nil
      else { continue }
      throw StoreError(
        .invalidSchema,
        "The column \(field.column) of the class \(entity.name) holds the field \(holder), and "
          + "\(schemaName) now gives it to the field \(field.name). Both may have unsent values. Nothing was "
          + "changed. Give the field \(field.name) a column that no field had.")
    }
  }

  private func widenLog(to count: Int) throws(StoreError) {
    let present = try logWidth()
    for position in present..<max(count, present) {
      try connection.execute("ALTER TABLE ferry_log ADD COLUMN v\(position)")
    }
  }

  /// The number of the log's columns for fields.
  func logWidth() throws(StoreError) -> Int {
    try connection.statement(
      "SELECT count(*) FROM pragma_table_info('ferry_log') WHERE name GLOB 'v[0-9]*'"
    ).first { $0.count(0) } ?? 0
  }

  // MARK: - Triggers

  /// Makes the triggers that are not there, or not with this text.
  private func installTriggers(_ triggers: [(name: String, sql: String)]) throws(StoreError) {
    let texts = try connection.statement(
      "SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'"
    )
    .rows { ($0.text(0), $0.text(1)) }
    let present = Dictionary(texts, uniquingKeysWith: { first, _ in first })
    for trigger in triggers where present[trigger.name] != trigger.sql {
      if present[trigger.name] != nil { try connection.execute("DROP TRIGGER \(trigger.name)") }
      try connection.execute(trigger.sql)
    }
  }

  private func dropTriggers(numbered number: Int64) throws(StoreError) {
    let names = try connection.statement(
      "SELECT name FROM sqlite_schema WHERE type = 'trigger' AND name GLOB 'ferry_*_' || ?"
    ).bound(String(number)).rows { $0.text(0) }
    for name in names { try connection.execute("DROP TRIGGER \(SQLText.name(name))") }
  }
}
