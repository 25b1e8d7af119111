// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import FerryStore

/// The columns of a class that another program has renamed, with the values of which they are made again.
///
/// SQLite renames a column in the triggers, too. So the trigger that captures deletes says which column holds the
/// values of a field now. The renamed column stays; it belongs to the program that renamed it. The program may also
/// have added a column under the former name, or given the name to the column of another field.
struct RenamedColumns {
  let connection: SQLiteConnection
  let entity: Entity
  let classNumber: Int64

  fileprivate struct Column {
    /// The name by which Ferry knows it, and the one that it has now, both quoted.
    var former: String
    var present: String
    /// Type and default as SQL.
    var type: String
    var defaultText: String?
    /// The place of its values in the log, and the old value there of a row that had none.
    var position: Int
    var noValue: String
    /// The column that has the former name now.
    var successor: Successor?
  }

  fileprivate enum Successor {
    /// Another field's column.
    case known
    /// A column that nobody captures; it has this default, as SQL.
    case new(defaultText: String?)
  }

  private var table: String { SQLText.name(entity.table) }

  /// Whether no column is renamed.
  func isEmpty() throws(StoreError) -> Bool { try renamed().isEmpty }

  /// Makes the columns again, with all values.
  ///
  /// Values that a program wrote into a new column of the former name become unsent edits: nothing captured them. The
  /// triggers of the class must be made again afterwards.
  ///
  /// - Parameter dropTriggers: Drops Ferry's triggers of the class: they would log what fills the columns.
  /// - Throws: `invalidSchema` if a column of the former name has another type; `StoreError` if the store cannot be
  ///   read or written.
  func makeAgain(droppingTriggers dropTriggers: () throws(StoreError) -> Void) throws(StoreError) {
    let columns = try renamed()
    guard !columns.isEmpty else { return }
    try dropTriggers()
    for column in columns where column.successor == nil {
      let defaultText = column.defaultText.map { " DEFAULT \($0)" } ?? ""
      try connection.execute(
        "ALTER TABLE \(table) ADD COLUMN \(column.former) \(column.type)\(defaultText)")
    }
    for column in columns { try logEdits(of: column) }
    // All at once: two columns may have exchanged their names.
    let values = columns.map { "\($0.former) = \($0.value)" }
    try connection.execute("UPDATE \(table) SET \(SQLText.list(values))")
  }

  private func logEdits(of column: Column) throws(StoreError) {
    guard let written = column.written else { return }
    try connection.execute(
      "INSERT INTO ferry_log (class, author, kind, localId, v\(column.position))"
        + " SELECT \(classNumber), \(Author.app.rawValue), \(LogKind.update.rawValue), localId,"
        + " ifnull(\(column.present), \(column.noValue)) FROM \(table)"
        + " WHERE \(written) AND \(column.former) IS NOT \(column.present)")
  }

  private func renamed() throws(StoreError) -> [Column] {
    let present = try connection.statement(
      "SELECT name, type, dflt_value FROM pragma_table_info(?)"
    ).bound(entity.table).rows { ($0.text(0), ($0.text(1), $0.optionalText(2))) }
    let columns = Dictionary(present, uniquingKeysWith: { first, _ in first })
    let names = Dictionary(
      present.map { ($0.0.lowercased(), $0.0) }, uniquingKeysWith: { first, _ in first })
    let known = try connection.statement(
      "SELECT columnName, position, type FROM ferry_field WHERE class = ? ORDER BY position"
    ).bound(classNumber).rows { ($0.text(0), $0.count(1), $0.text(2)) }
    guard let captured = try capturedNames() else { return [] }
    let owned = Set(captured.values.map { $0.lowercased() })
    var renamed: [Column] = []
    for (former, position, fieldType) in known {
      let place = former.lowercased()
      guard let name = captured[position], name.lowercased() != place,
        let (type, defaultText) = columns[name]
      else { continue }
      var column = Column(
        former: SQLText.name(former), present: SQLText.name(name), type: type,
        defaultText: defaultText, position: position,
        noValue: FieldMove.noValue(isBytes: fieldType == FieldType.bytes.name))
      if let successor = names[place].flatMap({ columns[$0] }) {
        guard successor.0.lowercased() == type.lowercased() else { throw refusal(former, name) }
        column.successor = owned.contains(place) ? .known : .new(defaultText: successor.1)
      }
      renamed.append(column)
    }
    return renamed
  }

  private func refusal(_ former: String, _ present: String) -> StoreError {
    StoreError(
      .invalidSchema,
      "Another program has renamed the column \(former) of the table \(entity.table) to \(present), and the "
        + "table has another column \(former) now, of another type. Nothing was changed. Give the columns "
        + "their names again.")
  }

  /// The columns that the trigger reads, by the place of their values in the log.
  private func capturedNames() throws(StoreError) -> [Int: String]? {
    let sql = try connection.statement(
      "SELECT sql FROM sqlite_schema WHERE type = 'trigger' AND name = ?"
    ).bound("ferry_delete_\(classNumber)").first { $0.text(0) }
    guard let sql, let places = sql.firstRange(of: "updatedAt, v"),
      let values = sql.firstRange(of: "OLD.updatedAt, ")
    else { return nil }
    let list = sql[sql.index(places.upperBound, offsetBy: -1)...].prefix { $0 != ")" }
    let positions = list.split(separator: ", ").compactMap { Int($0.dropFirst()) }
    let names = Self.names(in: sql[values.upperBound...])
    guard names.count == positions.count else { return nil }
    return Dictionary(zip(positions, names), uniquingKeysWith: { first, _ in first })
  }

  /// The column names in a list of the form `OLD.name, OLD."a name")`.
  private static func names(in list: Substring) -> [String] {
    var rest = list
    var names: [String] = []
    while rest.hasPrefix("OLD.") {
      rest.removeFirst("OLD.".count)
      guard let name = takeName(from: &rest) else { return [] }
      names.append(name)
      if rest.hasPrefix(", ") { rest.removeFirst(2) }
    }
    return rest.hasPrefix(")") ? names : []
  }

  private static func takeName(from rest: inout Substring) -> String? {
    guard rest.first == "\"" else {
      let name = rest.prefix { $0 != "," && $0 != ")" }
      rest = rest[name.endIndex...]
      return String(name)
    }
    var name = ""
    rest.removeFirst()
    while let part = rest.firstIndex(of: "\"") {
      name += rest[..<part]
      rest = rest[rest.index(after: part)...]
      guard rest.first == "\"" else { return name }
      name += "\""
      rest.removeFirst()
    }
    return nil
  }
}

extension RenamedColumns.Column {
  /// Whether a program has written into a new column of the former name, as SQL; nil if there is none.
  fileprivate var written: String? {
    guard case .new(let defaultText) = successor else { return nil }
    let isDefault = defaultText.map { " AND \(former) IS NOT (\($0))" } ?? ""
    return "\(former) IS NOT NULL\(isDefault)"
  }

  /// The value that the column made again gets, as SQL.
  fileprivate var value: String {
    written.map { "iif(\($0), \(former), \(present))" } ?? present
  }
}
