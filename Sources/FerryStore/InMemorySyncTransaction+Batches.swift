// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning

extension InMemoryReader {
  func rowsOfOtherVersions(
    in batch: RowBatch, of className: String
  ) throws(StoreError) -> [Int] {
    let table = try state.table(className)
    return batch.read { view in
      (0..<batch.rowCount).filter { row in
        let id = view.string(view.cell(row, RowBatch.Column.objectID))
        let stored = table.localIDs[id].flatMap { table.rows[$0] }
        return stored?.version?.rawValue != view.string(view.cell(row, RowBatch.Column.version))
      }
    }
  }

  func entangledRows(
    among rows: [Int], of batch: RowBatch, in className: String
  ) throws(StoreError) -> [Int] {
    let state = try state
    let entity = try state.schema.registered(className)
    var ids = Set(state.outbox.values.lazy.filter { $0.className == className }.map(\.objectID))
    ids.formUnion((state.quarantine[className] ?? [:]).keys)
    let former = try state.table(className).formerIDs
    let aliases = state.aliases
    let withPointers = aliases.isEmpty ? [] : Set(batch.rowsWithInnerPointers)
    let columns = aliases.isEmpty ? [] : [RowBatch.Column.objectID] + entity.pointerColumns
    return batch.read { view in
      rows.filter { row in
        let id = view.string(view.cell(row, RowBatch.Column.objectID))
        return ids.contains(id) || former[id] != nil || withPointers.contains(row)
          || columns.contains { aliases[view.string(view.cell(row, $0))] != nil }
      }
    }
  }
}

extension InMemorySyncTransaction {
  func insertNewRows(
    _ rows: [Int], of batch: RowBatch, into className: String
  ) throws(StoreError) -> BatchComparison {
    let entity = try state.schema.registered(className)
    let table = try state.table(className)
    return try batch.read { view throws(StoreError) in
      var comparison = BatchComparison()
      var new: [ImportRow] = []
      for row in rows {
        let imported = view.importRow(row, of: entity)
        if let stored = table.localIDs[imported.objectID].flatMap({ table.rows[$0] }) {
          comparison.note(BatchMatch(row, imported, stored, entity))
        } else {
          comparison.inserted.append(row)
          new.append(imported)
        }
      }
      _ = try apply(new, to: className)
      return comparison
    }
  }

  func overwrite(
    _ matches: [BatchMatch], with batch: RowBatch, in className: String
  ) throws(StoreError) {
    let entity = try state.schema.registered(className)
    let rows = batch.read { view in
      matches.map { view.importRow($0.row, localID: $0.localID, of: entity) }
    }
    _ = try apply(rows, to: className)
  }
}

extension BatchMatch {
  fileprivate init(_ row: Int, _ imported: ImportRow, _ stored: Record, _ entity: Entity) {
    self.init(row: row, localID: stored.localID)
    differing = FieldPositions(
      entity.fields.indices.filter { stored[entity.fields[$0].name] != imported.values[$0] })
    hasOtherACL = stored.acl != imported.acl
    hasOtherVersion = stored.version != imported.version
    isAcknowledged = stored.createdAt != nil
  }
}

extension Entity {
  /// The cells of a batch that hold the id of another record.
  package var pointerColumns: [Int] {
    fields.indices.filter { if case .pointer = fields[$0].type { true } else { false } }
      .map { RowBatch.Column.firstField + $0 }
  }
}
