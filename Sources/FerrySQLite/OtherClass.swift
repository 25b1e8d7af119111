// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import FerryStore

/// The table of a class that the schema leaves out, and another program declares.
///
/// A trigger of the app may remove or replace its rows while this program writes rows of its own classes. They come back
/// as they were: only a program that declares the class can fold their edits and send them.
struct OtherClass {
  private let number: Int64
  private let name: String
  private let tableName: String
  private unowned let transaction: SQLiteSyncTransaction

  /// All such classes of a store.
  static func all(in transaction: SQLiteSyncTransaction) throws(StoreError) -> [OtherClass] {
    let classes = try transaction.statement("SELECT number, name, tableName FROM ferry_class").rows
    {
      (number: $0.integer(0), name: $0.text(1), table: $0.text(2))
    }
    return classes.filter { transaction.layout.table(numbered: $0.number) == nil }.map {
      OtherClass(
        number: $0.number, name: $0.name, tableName: $0.table, transaction: transaction)
    }
  }

  private var table: String { SQLText.name(tableName) }

  /// Puts the rows back that are gone or replaced since a place in the log.
  ///
  /// - Parameters:
  ///   - start: The place.
  ///   - replaced: The notes of the log whose rows were in fact replaced.
  /// - Throws: `StoreError`, also where a trigger refuses a row: then nothing of the transaction may stay.
  func putBackRows(
    removedSince start: HistoryToken, replaced: Set<Int64>
  ) throws(StoreError) {
    let removals = try transaction.statement(
      "SELECT token, localId, objectId, kind FROM ferry_log l WHERE token > ?1 AND class = ?2"
        + " AND author = \(Author.sync.rawValue) AND kind IN \(LogKind.removals)"
        // A trigger has inserted a row that it removes again.
        + " AND (createdAt IS NOT NULL OR NOT EXISTS (SELECT 1 FROM ferry_log WHERE token > ?1"
        + " AND token < l.token AND class = ?2 AND kind = \(LogKind.insert.rawValue)"
        + " AND localId = l.localId)) ORDER BY token"
    ).bound(start.rawValue, number).rows {
      (token: $0.integer(0), localID: $0.localID(1), objectID: $0.text(2), kind: $0.integer(3))
    }
    var seen: Set<LocalID> = []
    for removal in removals
    where removal.kind == LogKind.delete.rawValue || replaced.contains(removal.token) {
      guard seen.insert(removal.localID).inserted else { continue }
      try transaction.statement("DELETE FROM \(table) WHERE localId = ? OR objectId = ?")
        .bound(removal.localID, removal.objectID).run()
      try transaction.statement(insertion()).bound(removal.token).run()
      if transaction.connection.changedRows == 0 { throw .ignored(name) }
    }
  }

  /// A statement that inserts the row of a place in the log.
  private func insertion() throws(StoreError) -> String {
    let captured = try transaction.statement(
      "SELECT columnName, position FROM ferry_field WHERE class = ? AND lower(columnName) IN"
        + " (SELECT lower(name) FROM pragma_table_info(?)) ORDER BY position"
    ).bound(number, tableName).rows { (SQLText.name($0.text(0)), "v\($0.integer(1))") }
    let columns = SQLText.list(TableLayout.ownColumns + captured.map(\.0))
    let values = SQLText.list(TableLayout.ownColumns + captured.map(\.1))
    return "INSERT INTO \(table) (\(columns)) SELECT \(values) FROM ferry_log WHERE token = ?"
  }
}
