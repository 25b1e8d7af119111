// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
package import FerryStore
import Synchronization

extension SQLiteStore {
  /// Takes the edits of fields that this program leaves out from the outbox, where another program put them,
  /// and puts back what such a program took out.
  ///
  /// It also makes columns again that another program has renamed or removed since the store was opened. Opening the
  /// store does the same. Without it, each statement about the class would fail until then.
  package func prepareForSync() throws(StoreError) {
    let known = columnsSeenAt.withLock { $0 }
    var look = try look(atSchemaVersionOtherThan: known)
    if !look.isComplete {
      let view = try StoreOpening(schema).run(on: writer)
      layout.withLock { $0 = view.layout }
      commitBroadcast.send(())
      look = try self.look(atSchemaVersionOtherThan: view.schemaVersion)
    }
    if look.isComplete, look.version != known { columnsSeenAt.withLock { $0 = look.version } }
    guard look.hasOtherFields else { return }
    try syncing(.full) { transaction throws(StoreError) in
      _ = try FieldRemoval.performAll(in: transaction)
      try FieldReturn.performAll(in: transaction)
    }
  }

  private struct Look {
    var version: Int64
    /// Whether all columns are there.
    var isComplete = true
    /// Whether the outbox has edits of fields that this program leaves out, or lacks edits of its fields.
    var hasOtherFields = false
  }

  /// One view of the database; a known version needs no look at the columns.
  private func look(atSchemaVersionOtherThan known: Int64) throws(StoreError) -> Look {
    try reading { reader throws(StoreError) in
      var look = Look(version: try reader.connection.schemaVersion())
      if look.version != known { look.isComplete = try reader.hasAllColumns() }
      guard look.isComplete else { return look }
      look.hasOtherFields = try FieldRemoval.isNeeded(in: reader)
      if !look.hasOtherFields { look.hasOtherFields = try FieldReturn.isNeeded(in: reader) }
      return look
    }
  }
}

extension SQLiteReader {
  /// Whether each declared field has its column, with its values, and no other field that the log keeps has lost it.
  fileprivate func hasAllColumns() throws(StoreError) -> Bool {
    let question = try statement("SELECT lower(name) FROM pragma_table_info(?)")
    for table in layout.allTables {
      let present = Set(try question.bound(table.entity.table).rows { SQLText.name($0.text(0)) })
      // SQLite takes names for equal that differ in the case of their letters, from A to Z.
      let isComplete =
        table.entity.fields.allSatisfy { present.contains(SQLText.name($0.column.lowercased())) }
        && table.captured.allSatisfy { present.contains($0.name.lowercased()) }
      let renamed = RenamedColumns(
        connection: connection, entity: table.entity, classNumber: table.classNumber)
      guard isComplete, try renamed.isEmpty() else { return false }
    }
    return true
  }
}
