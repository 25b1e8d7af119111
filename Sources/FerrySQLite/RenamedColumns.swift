// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryStore

/// The columns of a class that another program has renamed, with the values of which they are made again.
///
/// SQLite renames a column in the triggers, too. So the trigger that captures deletes says which column holds the
/// values of a field now. The renamed column stays; it belongs to the program that renamed it.
struct RenamedColumns {
  let connection: SQLiteConnection
  let entity: Entity
  let classNumber: Int64

  /// Their former names and their present ones, both quoted, with type and default as SQL.
  private struct Column {
    var former: String
    var present: String
    var type: String
    var defaultText: String?
  }

  /// Makes the columns again, with all values.
  ///
  /// The triggers of the class must be made again afterwards.
  ///
  /// - Parameter dropTriggers: Drops Ferry's triggers of the class: they would log what fills the columns.
  /// - Throws: `StoreError` if the store cannot be read or written.
  func makeAgain(droppingTriggers dropTriggers: () throws(StoreError) -> Void) throws(StoreError) {
    let columns = try renamed()
    guard !columns.isEmpty else { return }
    try dropTriggers()
    let table = SQLText.name(entity.table)
    for column in columns {
      let defaultText = column.defaultText.map { " DEFAULT \($0)" } ?? ""
      try connection.execute(
        "ALTER TABLE \(table) ADD COLUMN \(column.former) \(column.type)\(defaultText)")
      try connection.execute("UPDATE \(table) SET \(column.former) = \(column.present)")
    }
  }

  private func renamed() throws(StoreError) -> [Column] {
    let present = try connection.statement(
      "SELECT name, type, dflt_value FROM pragma_table_info(?)"
    ).bound(entity.table).rows { ($0.text(0), ($0.text(1), $0.optionalText(2))) }
    let columns = Dictionary(present, uniquingKeysWith: { first, _ in first })
    let known = try connection.statement(
      "SELECT columnName, position FROM ferry_field WHERE class = ? ORDER BY position"
    ).bound(classNumber).rows { ($0.text(0), $0.count(1)) }
    let names = Set(columns.keys.map { $0.lowercased() })
    let missing = known.filter { !names.contains($0.0.lowercased()) }
    guard !missing.isEmpty, let captured = try capturedNames() else { return [] }
    return missing.compactMap { former, position in
      guard let name = captured[position], let (type, defaultText) = columns[name] else {
        return nil
      }
      return Column(
        former: SQLText.name(former), present: SQLText.name(name), type: type,
        defaultText: defaultText)
    }
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
