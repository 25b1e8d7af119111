// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning

/// Writes the edits of a snapshot in one transaction, unless a change that the app has not seen is in the way.
struct SnapshotSaving: Sendable {
  /// The edits, compared with their rows; of a save that wrote, those that it wrote.
  private(set) var edits: [LocalID: SnapshotEdit]
  /// The names of the new rows, by their ids in the snapshot.
  private(set) var inserted: [LocalID: RecordReference] = [:]
  /// The edited and the new rows, as the save left them, by their ids in the snapshot.
  ///
  /// In fields that others had changed and the save did not write, they have what the app saw.
  private(set) var written: [LocalID: Record] = [:]
  /// The last change that it wrote; nil if it wrote none.
  private(set) var token: HistoryToken?
  /// Whether it wrote nothing, because an edit meets a change of others.
  let isRefused: Bool

  init(
    _ edits: [LocalID: SnapshotEdit], of className: String, in transaction: any StoreTransaction
  ) throws(StoreError) {
    guard let transaction = transaction as? any CapturedTransaction else { throw .foreignStore }
    let view = try SnapshotView(of: edits, in: className, from: transaction)
    var compared: [LocalID: SnapshotEdit] = [:]
    for (id, edit) in edits { compared[id] = view.compared(edit, with: view.present[id]) }
    self.edits = compared
    isRefused = compared.values.contains { !$0.conflicts.isEmpty }
    guard !isRefused else { return }
    self.edits = compared.compactMapValues { $0.merged() }
    let before = try transaction.lastToken()
    try write(to: className, in: transaction)
    let last = try transaction.lastToken()
    token = last > before ? last : nil
    try readWritten(compared, of: className, from: transaction, view.aliases)
  }

  /// Reads what was written: a trigger of the app may have written more, and the store has values for new rows.
  private mutating func readWritten(
    _ compared: [LocalID: SnapshotEdit], of className: String, from reader: any SyncReader,
    _ aliases: [Pointer: String]
  ) throws(StoreError) {
    var targets: [LocalID: LocalID] = [:]
    for (id, edit) in compared where edit.kind != .delete {
      targets[id] = inserted[id]?.localID ?? edit.stored?.localID
    }
    guard !targets.isEmpty else { return }
    var rows: [LocalID: Record] = [:]
    for var row in try reader.records(of: className, localIDs: Set(targets.values).sorted()) {
      row.rename(by: aliases)
      rows[row.localID] = row
    }
    for (id, target) in targets {
      guard let row = rows[target], let edit = compared[id] else { continue }
      written[id] = row.replacing(edit.seen.values(of: edit.unseenNames))
    }
  }

  /// Deletes come first, because an edited or a new row may need what a deleted one holds, such as a unique value.
  private mutating func write(
    to className: String, in transaction: any CapturedTransaction
  ) throws(StoreError) {
    let entity = try transaction.schema.registered(className)
    var deleted = Set<LocalID>()
    for kind in [SnapshotEdit.Kind.delete, .update, .insert] {
      for (id, edit) in edits.inOrder where edit.kind == kind {
        let target = edit.stored?.localID ?? id
        switch kind {
        case .delete:
          deleted.insert(target)
          // A trigger of the app may have removed the row with another one.
          guard try transaction.record(of: className, localID: target) != nil else { continue }
          try transaction.delete(className, target)
        // The app may have deleted the row under its other id.
        case .update where deleted.contains(target): continue
        case .update: try transaction.update(className, target, edit.values)
        case .insert:
          let fields = edit.writableValues(in: entity).filled(for: entity)
          inserted[id] = try transaction.insert(
            className, fields, objectID: nil, accessList: edit.seen.acl)
        }
      }
    }
  }
}

extension SnapshotEdit {
  /// The values of a new row; one that comes back leaves out what the app has not edited and no field can hold.
  fileprivate func writableValues(in entity: Entity) -> Fields {
    Fields(
      values.values.filter { name, value in
        seen[name] != value
          || entity.field(name).map { value.reason(againstWritingTo: $0.type) == nil } ?? false
      })
  }
}

extension [LocalID: SnapshotEdit] {
  /// The edits by age: of stored rows first, and then of new rows, as the app inserted them.
  var inOrder: [(key: LocalID, value: SnapshotEdit)] {
    sorted { left, right in
      let (one, other) = (left.key, right.key)
      return one.isAssigned == other.isAssigned
        ? one.rawValue.magnitude < other.rawValue.magnitude : one.isAssigned
    }
  }
}

extension StoreError {
  fileprivate static var foreignStore: StoreError {
    StoreError(
      .notAccessible,
      "The store gave a transaction that is not one of Ferry's, so nothing was saved. A store of the app's own must "
        + "pass on the transactions of the store that it wraps.")
  }
}
