// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import FerryStore

/// Makes a row stand for another record of the server than the one it stood for.
///
/// The old id lives on as an alias, and pointers to it are edits to be sent.
struct ObjectIDReplacement {
  let row: Record

  func perform(
    to objectID: String, createdAt: Timestamp, in transaction: any SyncTransaction
  ) throws {
    let referring = try referring(in: transaction)
    // Gives the row its new id, the old one an alias, and every pointer to it the new id.
    try transaction.acknowledgeCreate(
      of: row.className, localID: row.localID, objectID: objectID, createdAt: createdAt)
    for (reference, old) in referring {
      try send(reference, instead: old, in: transaction)
    }
  }

  /// The rows that point to the record, each with the fields that do, as they are.
  private func referring(in reader: any SyncReader) throws -> [(RecordKey, Fields)] {
    let pointer = Pointer(className: row.className, objectID: row.objectID)
    var found: [(RecordKey, Fields)] = []
    for entity in reader.schema.entities {
      guard let condition = entity.mayPoint(to: pointer) else { continue }
      for row in try reader.records(of: entity.name, where: condition) where row.key != self.row.key
      {
        let fields = Fields(row.fields.values.filter { $0.value.pointers.contains(pointer) })
        if !fields.isEmpty { found.append((row.key, fields)) }
      }
    }
    return found
  }

  /// The row's pointers were replaced here, and the server has the old ones.
  private func send(
    _ key: RecordKey, instead old: Fields, in transaction: any SyncTransaction
  ) throws {
    guard let row = try transaction.record(of: key.className, localID: key.localID) else { return }
    var entry: OutboxEntry
    if let present = try transaction.entries([key])[key] {
      entry = present
    } else {
      entry = OutboxEntry(editing: row, foldedThrough: try transaction.foldedThrough())
    }
    guard entry.kind == .update else { return }
    entry.overwrite(old)
    try transaction.put(entry)
  }
}

extension Entity {
  /// Which rows may point to a record; nil where none can.
  fileprivate func mayPoint(to pointer: Pointer) -> Condition? {
    let conditions = fields.compactMap { field -> Condition? in
      switch field.type {
      case .pointer(to: pointer.className): .field(field.name, .equal, .pointer(pointer))
      case .array, .object: .not(.isNull(field.name))
      default: nil
      }
    }
    return conditions.isEmpty ? nil : .any(conditions)
  }
}
