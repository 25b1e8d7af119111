// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryStore
import Foundation

/// Goes through the table of objects of a local datastore, in one view of the file.
final class LocalDatastoreReader: ObjectReader {
  /// The columns of the table, as the SDK names them.
  static let columns = ["uuid", "className", "objectId", "json", "isDeletingEventually"]
  /// The content of one answer: some pages of a server have as much.
  private static let bytes = 4 << 20

  private let source: ParseLocalDatastore
  private let connection: SQLiteConnection
  private let rows: SQLiteStatement
  private let search: SQLiteStatement
  private var isAtEnd = false

  init(_ connection: SQLiteConnection, of source: ParseLocalDatastore) throws(StoreError) {
    self.source = source
    self.connection = connection
    let columns = SQLText.list(Self.columns)
    rows = try connection.statement("SELECT \(columns) FROM ParseObjects ORDER BY rowid")
    search = try connection.statement("SELECT \(columns) FROM ParseObjects WHERE uuid = ?")
  }

  func next(_ limit: Int) throws(ObjectSourceError) -> [KeptObject] {
    try source.explaining { () throws(StoreError) in
      var objects: [KeptObject] = []
      var bytes = 0
      while !isAtEnd, objects.count < limit, bytes < Self.bytes {
        guard try rows.step() else {
          isAtEnd = true
          break
        }
        let object = Self.object(in: rows)
        bytes += object.json?.count ?? 0
        objects.append(object)
      }
      return objects
    }
  }

  func object(uuid: String) throws(ObjectSourceError) -> KeptObject? {
    try source.explaining { () throws(StoreError) in
      try search.bound(uuid).first { Self.object(in: $0) }
    }
  }

  private static func object(in row: SQLiteStatement) -> KeptObject {
    KeptObject(
      className: row.text(1), uuid: row.optionalText(0), objectID: row.optionalText(2),
      json: row.isNull(3) ? nil : row.withText(3) { Data($0) }, isDeleted: row.integer(4) > 0)
  }
}
