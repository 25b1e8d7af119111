// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import FerryStore

// The columns of fields that only other programs declare.
extension SQLiteReader {
  func undeclaredFields(
    of className: String, localIDs: [LocalID]
  ) throws(StoreError) -> [LocalID: UndeclaredFields] {
    let table = try layout.table(className)
    guard !table.undeclared.isEmpty, !localIDs.isEmpty else { return [:] }
    let edits = try undeclaredEdits(of: className)
    let columns = table.undeclared.compactMap(UndeclaredColumn.init)
    let names = SQLText.list(["localId"] + columns.map { "\(table.table).\($0.name)" })
    let rows = try each(localIDs, "SELECT \(names) FROM \(table.table) WHERE localId = ?") { row in
      (localID: row.localID(0), values: columns.values(at: row, from: 1))
    }
    var found: [LocalID: UndeclaredFields] = [:]
    for row in rows {
      found[row.localID] = UndeclaredFields(values: row.values, edited: edits[row.localID] ?? [])
    }
    return found
  }

  func undeclaredEdits(of className: String) throws(StoreError) -> [LocalID: Set<String>] {
    let table = try layout.table(className)
    guard !table.undeclared.isEmpty else { return [:] }
    let marks = try unfoldedMarks()
    var edits: [LocalID: Set<String>] = [:]
    for column in table.undeclared {
      guard let field = column.field else { continue }
      let rows = try statement(Self.editedRows(column, of: table, behind: marks)).rows {
        $0.localID(0)
      }
      for localID in rows { edits[localID, default: []].insert(field) }
    }
    return edits
  }

  /// The same of a row that is gone, from what the log has of it.
  ///
  /// - Parameters:
  ///   - record: The row.
  ///   - token: Where the log has its removal.
  /// - Returns: Its values, and the names of those fields with an unsent edit.
  /// - Throws: `StoreError` if the log cannot be read.
  func undeclaredFields(
    ofGone record: Record, loggedAt token: HistoryToken
  ) throws(StoreError) -> UndeclaredFields {
    let table = try layout.table(record.className)
    guard !table.undeclared.isEmpty else { return UndeclaredFields() }
    let marks = try unfoldedMarks()
    var values: [String: Value] = [:]
    var edited: Set<String> = []
    for column in table.undeclared {
      guard let field = column.field, let type = column.type else { continue }
      let old = "v\(column.position)"
      let value = try statement("SELECT \(old) FROM ferry_log WHERE token = ?")
        .bound(token.rawValue).first { $0.value(0, as: type) }
      if let value, !value.isNull { values[field] = value }
      let mark = marks.unfoldedStart(ofField: column.position, ofClass: table.classNumber)
      let isEdited = try statement(
        "SELECT (\(LogKind.lastInsert)) IS NOT NULL AND ?4 OR EXISTS (SELECT 1 FROM ferry_log"
          + " WHERE \(LogKind.appEdits) = \(LogKind.update.rawValue) AND \(old) IS NOT NULL"
          + " AND token > ifnull((\(LogKind.lastInsert)), 0))"
      ).bound(mark, table.classNumber, record.localID, values[field] == nil ? 0 : 1)
        .first { $0.integer(0) == 1 }
      if isEdited == true { edited.insert(field) }
    }
    return UndeclaredFields(values: Fields(values), edited: edited)
  }
}

extension [UndeclaredColumn] {
  /// The values in the columns of a statement's row, from one column on.
  fileprivate func values(at row: SQLiteStatement, from first: Int) -> Fields {
    var values: [String: Value] = [:]
    for (offset, column) in enumerated() {
      let value = row.value(first + offset, as: column.type)
      if !value.isNull { values[column.field] = value }
    }
    return Fields(values)
  }
}
