// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import FerryStore

/// The storage of a registered class: its table, and the numbers of its parts in the log.
///
/// It never changes. It is a class, because copies of its texts are dear in a sync that finds nothing.
final class TableLayout: Sendable {
  /// The class's number in the log; it stays when the schema changes.
  let classNumber: Int64
  let entity: Entity
  /// Each field's position among the log's columns; it stays when the schema changes.
  let positions: [Int]
  /// The columns that capture watches: those of the fields, and those of fields that only other
  /// programs declare.
  let captured: [CapturedColumn]
  /// The captured columns of fields that this schema does not declare.
  let undeclared: [CapturedColumn]

  /// The table's name, quoted.
  let table: String
  /// The fields' columns, quoted.
  let columns: [String]
  /// All columns in the order in which `record(at:)` reads them.
  let allColumns: String
  /// The beginning of a query for whole rows.
  let selectRecords: String
  /// The query for the whole row of a local id, and that of an object id.
  let selectRecordByLocalID: String
  let selectRecordByObjectID: String
  /// The query for the whole rows of a range of local ids.
  let selectRecordsByLocalIDs: String
  /// The beginning of a query for the rows that may point to a minted id, with their pointers; nil if none may.
  let selectPointers: String?
  private let pointerFields: [Field]

  /// No JSON text of a pointer to a minted id has fewer characters.
  private static let shortestPointer = 60

  /// The columns that every table has, before those of the fields.
  static let ownColumns = ["localId", "objectId", "acl", "createdAt", "updatedAt"]
  /// The place of the access list among these columns.
  static let aclColumn = 2

  init(classNumber: Int64, entity: Entity, positions: [Int], captured: [CapturedColumn]) {
    self.classNumber = classNumber
    self.entity = entity
    self.positions = positions
    self.captured = captured
    undeclared = captured.filter { !positions.contains($0.position) }
    table = SQLText.name(entity.table)
    columns = entity.fields.map { SQLText.column($0.column) }
    allColumns = SQLText.list(Self.ownColumns + columns)
    selectRecords = "SELECT \(allColumns) FROM \(table)"
    selectRecordByLocalID = "\(selectRecords) WHERE localId = ?"
    selectRecordByObjectID = "\(selectRecords) WHERE objectId = ?"
    selectRecordsByLocalIDs = "\(selectRecords) WHERE localId BETWEEN ? AND ?"
    pointerFields = entity.fields.filter(\.type.mayHoldPointers)
    let pointers = pointerFields.map { SQLText.column($0.column) }
    let conditions = zip(pointerFields, pointers).map { field, column in
      if case .pointer = field.type { return "length(\(column)) = \(MintedID.length)" }
      return "length(\(column)) >= \(Self.shortestPointer)"
    }
    selectPointers =
      pointerFields.isEmpty
      ? nil
      : "SELECT localId, \(SQLText.list(pointers)) FROM \(table)"
        + " WHERE (\(conditions.joined(separator: " OR ")))"
  }

  /// The quoted column of a field, or a column that every row has.
  func column(_ field: String) -> String {
    entity.fields.firstIndex { $0.name == field }.map { columns[$0] } ?? SQLText.column(field)
  }

  /// Reads a row of `selectPointers`.
  func pointers(at statement: SQLiteStatement) -> Fields {
    var fields = Fields()
    for (position, field) in pointerFields.enumerated() {
      fields[field.name] = statement.value(position + 1, as: field.type)
    }
    return fields
  }

  /// Reads a row of `selectRecords`, or any row with the same columns from `first` on.
  func record(at statement: SQLiteStatement, from first: Int = 0) -> Record {
    var fields: [String: Value] = [:]
    fields.reserveCapacity(entity.fields.count)
    for (offset, field) in entity.fields.enumerated() {
      let value = statement.value(first + Self.ownColumns.count + offset, as: field.type)
      if !value.isNull { fields[field.name] = value }
    }
    return Record(
      className: entity.name, localID: statement.localID(first),
      objectID: statement.text(first + 1), fields: Fields(fields),
      acl: statement.value(first + Self.aclColumn, as: .object),
      createdAt: statement.timestamp(first + 3),
      version: statement.optionalText(first + 4).map(ServerVersion.init))
  }

  /// The beginning of a query for identities and versions, and the reader of its rows.
  var selectVersions: String { "SELECT localId, objectId, createdAt, updatedAt FROM \(table)" }

  /// The place of the creation time among these columns.
  static let createdAtOfVersion = 2

  static func version(at statement: SQLiteStatement) -> StoredVersion {
    StoredVersion(
      localID: statement.localID(0), objectID: statement.text(1),
      createdAt: statement.timestamp(createdAtOfVersion),
      version: statement.optionalText(3).map(ServerVersion.init))
  }

  /// The type of the column for a field.
  static func columnType(_ type: FieldType) -> String {
    switch type {
    case .integer, .boolean: "INTEGER"
    case .number: "REAL"
    case .bytes: "BLOB"
    case .text, .date, .pointer, .object, .array, .geoPoint, .polygon, .file, .relation: "TEXT"
    }
  }
}
