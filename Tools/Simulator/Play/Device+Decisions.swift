// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import FerryStore

// The decisions of an app about its edits.
extension Device {
  /// The rows of the device, under their object ids.
  func currentRows() throws -> DeviceRows {
    let identities = surroundings.identities
    return try program.store.read { db in
      var rows = DeviceRows()
      for entity in self.surroundings.schema.entities {
        for record in try db.records(of: entity.name) {
          guard let name = self.surroundings.classes.name(of: entity.name, record.fields) else {
            continue
          }
          identities.learn(name, entity.name, record.objectID)
          rows.rows[Pointer(className: entity.name, objectID: record.objectID)] = DeviceRows.Row(
            name: name, localID: record.localID,
            fields: self.contents(of: record)
              .filter { $0.value != .empty })
        }
      }
      return rows
    }
  }

  /// Undoes or redoes.
  ///
  /// - Returns: The outcome; nil if there is no such transaction.
  func takeBack(_ step: AppHistory.Step) throws -> UndoResult? {
    try noting(step) {
      let result = step == .undo ? try program.store.undo() : try program.store.redo()
      if let result { history.tookBack(result.token) }
      return result
    }
  }

  /// The unsent changes, and the rows that they are about.
  func unsentChanges() throws -> [(row: String, entry: OutboxEntry)] {
    let view = try view()
    return view.pending.filter(\.isUnsent).map { (view.name(of: $0, surroundings.identities), $0) }
  }

  /// Discards a change.
  ///
  /// - Returns: Whether there was one.
  func discard(_ entry: OutboxEntry) throws -> Bool {
    try noting(.edit) {
      try program.store.write {
        try $0.discardChange(of: entry.className, localID: entry.localID)
      }
    }
  }

  /// Discards all changes.
  ///
  /// - Returns: How many there were.
  func discardAll() throws -> Int {
    try noting(.edit) { try program.store.write { try $0.discardChanges(of: nil) } }
  }

  /// Lets the next sync send changes again.
  func retry(_ entry: OutboxEntry) throws -> Bool {
    try program.store.retryChange(of: entry.className, localID: entry.localID)
  }

  func retryAll() throws -> Int { try program.store.retryChanges() }

  /// The conflict records that were not restored, newest first.
  func restorable() throws -> [ConflictRecord] {
    try program.store.read { try $0.conflicts() }.filter { !$0.isRestored }
  }

  /// The rows that were restored as a whole.
  func restoredRows(_ identities: Identities) throws -> [String] {
    try program.store.read { try $0.conflicts() }.filter { $0.isRestored && $0.isWholeRecord }
      .map { identities.name(of: $0) }
  }

  /// Restores a conflict record, unless its row is gone, this program declares none of its fields, or a trigger refuses.
  func restore(_ conflict: ConflictRecord) throws -> ConflictRestoration {
    do {
      let row = try noting(.edit) {
        try program.store.write { try $0.restore(conflict: conflict.id ?? 0) }
      }
      return ConflictRestoration(conflict: conflict, result: .success(row))
    } catch let error as StoreError
      where error.refusal != nil || [.noSuchRecord, .unknownField].contains(error.code)
    {
      return ConflictRestoration(conflict: conflict, result: .failure(error))
    }
  }

  /// Restores all conflict records of a run.
  func restoreAll(of run: Int64) throws -> [ConflictRestoration] {
    try noting(.edit) { try program.store.write { try $0.restoreConflicts(ofRun: run) } }
  }
}
