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

  /// Where the log has what the server has of a record's field.
  private struct Removal {
    var objectID: String
    var token: Int64
    /// The server's value, if the removed row had an unsent edit instead.
    var base: Value?
  }

  /// Restores the fields of records of one class while their edits are folded.
  static func perform(
    for records: [Record], of table: TableLayout, in transaction: SQLiteSyncTransaction
  ) throws(StoreError) {
    guard !table.undeclared.isEmpty, !records.isEmpty else { return }
    let marks = try transaction.unfoldedMarks()
    for column in table.undeclared {
      let restoration = FieldRestoration(table: table, column: column)
      let bases = restoration.bases(in: records)
      var removals = try restoration.removals(
        of: records.map(\.objectID), behind: marks, in: transaction)
      for index in removals.indices { removals[index].base = bases[removals[index].objectID] }
      try restoration.restore(removals, in: transaction)
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
        .restore([Removal(objectID: objectID, token: removal)], in: transaction)
    }
  }

  /// The server's values of the field where a delete took an unsent edit of it along, by object id.
  private func bases(in records: [Record]) -> [String: Value] {
    guard let field = column.field else { return [:] }
    let bases = records.compactMap { record in
      record.fields.values[field].map { (record.objectID, $0) }
    }
    return Dictionary(bases, uniquingKeysWith: { first, _ in first })
  }

  /// Finds the server's values of records: a row that was removed held them, unless it was edited before.
  private func removals(
    of objectIDs: [String], behind marks: UnfoldedMarks, in reader: SQLiteReader
  ) throws(StoreError) -> [Removal] {
    let mark = marks.start(ofField: column.position, ofClass: table.classNumber)
    let start = marks.unfoldedStart(ofField: column.position, ofClass: table.classNumber)
    let all = try reader.statement(
      "SELECT objectId, token, localId FROM ferry_log WHERE class = ? AND objectId IN"
        + " (SELECT value FROM json_each(?)) AND author = \(Author.app.rawValue)"
        + " AND kind IN \(LogKind.removals) ORDER BY token"
    ).bound(table.classNumber, WireJSON.text(.array(objectIDs.map { .string($0) })))
      .rows { (Removal(objectID: $0.text(0), token: $0.integer(1)), localID: $0.localID(2)) }
    let edits = try edits(of: all.map(\.localID), after: start, in: reader)
    return Dictionary(grouping: all, by: \.0.objectID).values.compactMap { removals in
      guard let (first, localID) = removals.first(where: { $0.0.token > start }) else {
        return removals.last?.0
      }
      let isEdited = edits[localID].map { $0.lowerBound < first.token } ?? false
      // A program that declares the field will find the value itself.
      return mark != nil || isEdited ? nil : first
    }
  }

  /// Restores the field from the values of rows that were removed.
  private func restore(
    _ removals: [Removal], in transaction: SQLiteSyncTransaction
  ) throws(StoreError) {
    guard let start = removals.map(\.token).min() else { return }
    let present = Dictionary(
      try transaction.statement(
        "SELECT objectId, localId FROM \(table.table) WHERE objectId IN (SELECT value FROM json_each(?))"
      ).bound(WireJSON.text(.array(removals.map { .string($0.objectID) })))
        .rows { ($0.text(0), $0.localID(1)) }, uniquingKeysWith: { first, _ in first })
    let inserts = try inserts(of: Array(present.values), after: start, in: transaction)
    let edits = try edits(of: Array(present.values), after: start, in: transaction)
    for removal in removals {
      guard let localID = present[removal.objectID], let insert = inserts[localID],
        insert > removal.token
      else { continue }
      let isEdited = edits[localID].map { $0.upperBound > insert } ?? false
      try restore(localID, insertedAt: insert, from: removal, isEdited: isEdited, in: transaction)
    }
  }

  private func restore(
    _ localID: LocalID, insertedAt insert: Int64, from removal: Removal, isEdited: Bool,
    in transaction: SQLiteSyncTransaction
  ) throws(StoreError) {
    let value = "(SELECT \(place) FROM ferry_log WHERE token = ?1)"
    if let base = removal.base {
      try transaction.statement(
        "UPDATE ferry_log SET \(place) = ifnull(?, \(column.noValue)) WHERE token = ? AND \(place) IS NULL"
      ).bound(base, insert).run()
    } else {
      try transaction.statement(
        "UPDATE ferry_log SET \(place) = \(value) WHERE token = ?2 AND \(place) IS NULL"
          + " AND \(value) IS NOT NULL"
      ).bound(removal.token, insert).run()
    }
    // `FieldRemoval` has noted the value before: the row is empty because the app cleared the field.
    guard transaction.connection.changedRows > 0, !isEdited else { return }
    try transaction.statement(
      "UPDATE \(table.table) SET \(column.name) = \(column.fitting(value)) WHERE localId = ?2"
        + " AND (\(column.name) IS NULL OR \(column.name) IS (\(column.defaultText)))"
    ).bound(removal.token, localID).run()
  }

  /// The first and the last of the app's edits of the column after a token, by row.
  private func edits(
    of localIDs: [LocalID], after token: Int64, in reader: SQLiteReader
  ) throws(StoreError) -> [LocalID: ClosedRange<Int64>] {
    try log(.update, "AND \(place) IS NOT NULL", of: localIDs, after: token, in: reader)
  }

  /// The last insert after a token, by row.
  private func inserts(
    of localIDs: [LocalID], after token: Int64, in reader: SQLiteReader
  ) throws(StoreError) -> [LocalID: Int64] {
    try log(.insert, "", of: localIDs, after: token, in: reader).mapValues(\.upperBound)
  }

  /// Where the log has what the app did to rows after a token, by one scan.
  private func log(
    _ kind: LogKind, _ condition: String, of localIDs: [LocalID], after token: Int64,
    in reader: SQLiteReader
  ) throws(StoreError) -> [LocalID: ClosedRange<Int64>] {
    let rows = try reader.statement(
      "SELECT localId, min(token), max(token) FROM ferry_log WHERE token > ? AND class = ?"
        + " AND author = \(Author.app.rawValue) AND kind = \(kind.rawValue) \(condition)"
        + " AND localId IN (SELECT value FROM json_each(?)) GROUP BY localId"
    ).bound(
      token, table.classNumber, WireJSON.text(.array(localIDs.map { .integer($0.rawValue) }))
    ).rows { ($0.localID(0), $0.integer(1)...$0.integer(2)) }
    return Dictionary(rows, uniquingKeysWith: { first, _ in first })
  }

  /// The column of the log with the field's old value.
  private var place: String { "v\(column.position)" }
}
