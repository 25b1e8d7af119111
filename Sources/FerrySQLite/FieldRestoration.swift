// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import FerryStore

/// Gives rows that the app inserted again the fields that their insert left out, as the server has them.
///
/// A program may replace a row, or delete it and insert it again, without a column that it does not declare. Without
/// the server's value, a later edit of the column would meet that value as another client's. If the insert gave the
/// column another value, or the app edited it since, the row keeps that, and the log notes the server's value.
struct FieldRestoration {
  private let table: TableLayout
  private let column: CapturedColumn

  /// Restores the fields of records of one class while their edits are folded.
  static func perform(
    for records: [Record], of table: TableLayout, in transaction: SQLiteSyncTransaction
  ) throws(StoreError) {
    guard !table.undeclared.isEmpty, !records.isEmpty else { return }
    let marks = try transaction.unfoldedMarks()
    for column in table.undeclared {
      let restoration = FieldRestoration(table: table, column: column)
      let removals = try restoration.removals(
        of: records.map(\.objectID), behind: marks, in: transaction)
      for (objectID, token) in removals {
        try restoration.restore(objectID, from: token, in: transaction)
      }
    }
  }

  /// Restores the fields of a record that the server still has, although the app deleted it before it inserted its
  /// row.
  ///
  /// The app sent the delete and got no answer. The record's creation time tells that it is still the same.
  static func perform(
    for objectID: String, createdAt: Timestamp, of table: TableLayout,
    in transaction: SQLiteSyncTransaction
  ) throws(StoreError) {
    guard !table.undeclared.isEmpty else { return }
    let removal = try transaction.statement(
      "SELECT max(token) FROM ferry_log WHERE class = ? AND objectId = ? AND createdAt = ?"
        + " AND author = \(Author.app.rawValue) AND kind = \(LogKind.delete.rawValue)"
    ).bound(table.classNumber, objectID, createdAt).first { $0.isNull(0) ? nil : $0.integer(0) }
    guard let removal = removal.flatMap(\.self) else { return }
    let marks = try transaction.unfoldedMarks()
    for column in table.undeclared {
      let mark = marks.start(ofField: column.position, ofClass: table.classNumber)
      guard removal <= mark ?? .max else { continue }
      try FieldRestoration(table: table, column: column)
        .restore(objectID, from: removal, in: transaction)
    }
  }

  /// Where the log has the server's values of records: a row that was removed held them, unless it was edited before.
  private func removals(
    of objectIDs: [String], behind marks: UnfoldedMarks, in reader: SQLiteReader
  ) throws(StoreError) -> [(objectID: String, token: Int64)] {
    let mark = marks.start(ofField: column.position, ofClass: table.classNumber)
    let start = mark ?? marks.start(ofClass: table.classNumber)
    let edit =
      "SELECT 1 FROM ferry_log e WHERE e.token > ?3 AND e.token < r.token AND e.class = r.class"
      + " AND e.localId = r.localId AND e.author = \(Author.app.rawValue)"
      + " AND e.kind = \(LogKind.update.rawValue) AND e.\(place) IS NOT NULL"
    let removals = try reader.statement(
      "SELECT objectId, token, EXISTS (\(edit)) FROM ferry_log r WHERE class = ?1 AND objectId IN"
        + " (SELECT value FROM json_each(?2)) AND author = \(Author.app.rawValue)"
        + " AND kind IN \(LogKind.removals) ORDER BY token"
    ).bound(table.classNumber, WireJSON.text(.array(objectIDs.map { .string($0) })), start)
      .rows { (objectID: $0.text(0), token: $0.integer(1), isEdited: $0.integer(2) == 1) }
    return Dictionary(grouping: removals, by: \.objectID).compactMap { objectID, removals in
      guard let first = removals.first(where: { $0.token > start }) else {
        return removals.last.map { (objectID, $0.token) }
      }
      // A program that declares the field will find the value itself.
      return mark != nil || first.isEdited ? nil : (objectID, first.token)
    }
  }

  /// Restores the field from the values of the row that was removed.
  private func restore(
    _ objectID: String, from removal: Int64, in transaction: SQLiteSyncTransaction
  ) throws(StoreError) {
    let localID = try transaction.statement(
      "SELECT localId FROM \(table.table) WHERE objectId = ?"
    ).bound(objectID).first { $0.localID(0) }
    let insert = try transaction.statement(LogKind.lastInsert)
      .bound(removal, table.classNumber, localID).first { $0.integer(0) }
    let value = { (parameter: Int) in "(SELECT \(place) FROM ferry_log WHERE token = ?\(parameter))"
    }
    try transaction.statement(
      "UPDATE ferry_log SET \(place) = \(value(1)) WHERE token = ?2 AND \(place) IS NULL"
        + " AND \(value(1)) IS NOT NULL"
    ).bound(removal, insert).run()
    // `FieldRemoval` has noted the value before: the row is empty because the app cleared the field.
    guard transaction.connection.changedRows > 0 else { return }
    try transaction.statement(
      "UPDATE \(table.table) SET \(column.name) = \(column.fitting(value(4))) WHERE localId = ?3"
        + " AND (\(column.name) IS NULL OR \(column.name) IS (\(column.defaultText)))"
        + " AND NOT EXISTS (SELECT 1 FROM ferry_log WHERE \(LogKind.appEdits)"
        + " = \(LogKind.update.rawValue) AND \(place) IS NOT NULL)"
    ).bound(insert, table.classNumber, localID, removal).run()
  }

  /// The column of the log with the field's old value.
  private var place: String { "v\(column.position)" }
}
