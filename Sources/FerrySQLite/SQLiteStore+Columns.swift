// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryStore
import Synchronization

extension SQLiteStore {
  /// Makes columns again that another program has renamed or removed since the store was opened.
  ///
  /// Opening the store does the same. Without it, each statement about the class would fail until then.
  func renewColumns() throws(StoreError) {
    let known = columnsSeenAt.withLock { $0 }
    let (version, isComplete) = try read(atSchemaVersionOtherThan: known)
    if !isComplete {
      let view = try StoreOpening(schema).run(on: writer)
      layout.withLock { $0 = view.layout }
    }
    // After a renewal, the version is another one, and the next sync looks once more.
    if version != known { columnsSeenAt.withLock { $0 = version } }
  }

  /// The schema version, and whether all columns are there; a known version needs no look at them.
  private func read(
    atSchemaVersionOtherThan known: Int64
  ) throws(StoreError) -> (version: Int64, isComplete: Bool) {
    try reading { reader throws(StoreError) in
      let version = try reader.statement("PRAGMA schema_version").first { $0.integer(0) } ?? 0
      guard version != known else { return (version, true) }
      return (version, try reader.hasAllColumns())
    }
  }
}

extension SQLiteReader {
  /// Whether each declared field has its column, with its values.
  fileprivate func hasAllColumns() throws(StoreError) -> Bool {
    let question = try statement("SELECT lower(name) FROM pragma_table_info(?)")
    for table in layout.allTables {
      let present = Set(try question.bound(table.entity.table).rows { $0.text(0) })
      // SQLite takes names for equal that differ in the case of their letters, from A to Z.
      let isComplete = table.entity.fields.allSatisfy { present.contains($0.column.lowercased()) }
      let renamed = RenamedColumns(
        connection: connection, entity: table.entity, classNumber: table.classNumber)
      guard isComplete, try renamed.isEmpty() else { return false }
    }
    return true
  }
}
