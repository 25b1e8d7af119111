// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import FerryStore

/// The values with which undos and restores brought rows of a class back, until folding takes note of them.
///
/// History names the rows of such a transaction, but an insert in the log has no values. Later edits of the row would
/// hide them.
struct RestoredFields {
  private let reader: SQLiteReader
  private let start: String
  private let end: String

  init(of className: String, in reader: SQLiteReader) throws(StoreError) {
    self.reader = reader
    let place = "restored.\(try reader.layout.table(className).classNumber)"
    (start, end) = ("\(place).", "\(place)/")
  }

  /// Keeps the values of a row, in a transaction of the app.
  func keep(_ fields: Fields, of objectID: String) throws(StoreError) {
    try reader.keepingBooks { () throws(StoreError) in
      try reader.statement("INSERT OR REPLACE INTO ferry_meta (key, value) VALUES (?, ?)")
        .bound(start + objectID, try StoredJSON.columnText(fields)).run()
    }
  }

  /// The values of those rows that have some, by object id.
  ///
  /// A store has few of them or none, so that this reads no row for each object id.
  func fields(of objectIDs: [String]) throws(StoreError) -> [String: Fields] {
    let (start, wanted) = (start, Set(objectIDs))
    let rows = try reader.statement("SELECT key, value FROM ferry_meta WHERE key >= ? AND key < ?")
      .bound(start, end).rows { row throws(StoreError) -> (String, Fields)? in
        let objectID = String(row.text(0).dropFirst(start.count))
        guard wanted.contains(objectID) else { return nil }
        return (objectID, try StoredJSON.columnNote(Fields.self, from: row.text(1)))
      }
    return Dictionary(rows.compactMap(\.self), uniquingKeysWith: { first, _ in first })
  }

  func forget(_ objectIDs: [String]) throws(StoreError) {
    let delete = try reader.statement("DELETE FROM ferry_meta WHERE key = ?")
    for objectID in objectIDs { try delete.bound(start + objectID).run() }
  }
}

extension SQLiteReader {
  func restoredFields(
    of className: String, objectIDs: [String]
  ) throws(StoreError) -> [String: Fields] {
    try RestoredFields(of: className, in: self).fields(of: objectIDs)
  }
}

extension SQLiteSyncTransaction {
  func forgetRestoredFields(of className: String, objectIDs: [String]) throws(StoreError) {
    try RestoredFields(of: className, in: self).forget(objectIDs)
  }
}
