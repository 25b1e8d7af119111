// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryStore

/// Compares the versions of a batch with those of the stored rows.
///
/// After a bulk load, the rows lie in the order in which listings show them. There the next row costs a fraction of a
/// search for an id. So after two neighbours, the search goes on from row to row, as long as each has the next id.
struct VersionSearch {
  private let view: RowBatch.View
  private let search: SQLiteStatement
  private let walk: SQLiteStatement
  private var isWalking = false
  /// The row that the last search found.
  private var last: LocalID?

  init(_ reader: SQLiteReader, _ table: TableLayout, _ view: RowBatch.View) throws(StoreError) {
    self.view = view
    let columns = "SELECT localId, updatedAt, objectId FROM \(table.table)"
    search = try reader.statement("\(columns) WHERE objectId = ?")
    walk = try reader.statement("\(columns) WHERE localId > ? ORDER BY localId")
  }

  /// Lets the statements forget the batch.
  func end() {
    walk.reset()
    for statement in [search, walk] { statement.forgetBindings() }
  }

  /// Whether the store has the record of a row in its version.
  mutating func finds(_ row: Int) throws(StoreError) -> Bool {
    let id = view.cell(row, RowBatch.Column.objectID)
    if isWalking {
      if try walk.step(), walk.holds(id, of: view, at: 2) { return isSame(row, walk) }
      walk.reset()
      isWalking = false
      last = nil
    }
    try search.bind(1, id, of: view)
    let found = try search.first { stored in (stored.localID(0), isSame(row, stored)) }
    guard let (localID, isSame) = found else { return false }
    if let last, localID.rawValue == last.rawValue + 1 {
      _ = try walk.bound(localID.rawValue)
      isWalking = true
    }
    last = localID
    return isSame
  }

  private func isSame(_ row: Int, _ stored: SQLiteStatement) -> Bool {
    stored.holds(view.cell(row, RowBatch.Column.version), of: view, at: 1)
  }
}
