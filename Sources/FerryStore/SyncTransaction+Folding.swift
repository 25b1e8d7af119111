// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning

extension SyncReader {
  /// Whether the log ends where it is folded: then `fold` does nothing.
  package func isFoldedToTheEnd() throws(StoreError) -> Bool {
    try lastToken() <= foldedThrough()
  }

  /// Whether the log has edits of the app that are not folded, besides what the engine wrote.
  package func hasUnfoldedEdits() throws(StoreError) -> Bool {
    guard try !isFoldedToTheEnd() else { return false }
    let start = try foldedThrough()
    var isEdited = false
    for className in try editedClasses(after: start) where !isEdited {
      try forEachLogPlace(of: className, after: start, .byRow) { _ in isEdited = true }
    }
    return isEdited
  }
}

extension SyncTransaction {
  /// Folds the app's edits since the last time into the outbox.
  ///
  /// Every transaction that writes rows or names them does so first: what an import overwrites
  /// could not be told from what the app destroyed afterwards. Pointers that hold an id which the
  /// server has replaced since are set right on the way, unless a rule of another program keeps the row as it is.
  ///
  /// - Parameters:
  ///   - batchSize: How many edits are folded at a time.
  ///   - changesRows: Whether rows are set right. A rule of another program may end the transaction instead; without
  ///     it, the rows stay as they are.
  /// - Throws: `StoreError` if the store cannot be read or written.
  package func fold(
    batchSize: Int = foldingBatchSize, changesRows: Bool = true
  ) throws(StoreError) {
    guard try !isFoldedToTheEnd() else { return }
    let last = try lastToken()
    var rest: [RowsSetRight] = []
    let edited = try editedClasses(after: foldedThrough())
    for entity in schema.entities where edited.contains(entity.name) {
      try UnfoldedEdits(of: entity.name, in: self).forEachBatch(size: batchSize) {
        batch throws(StoreError) in
        let rows = try fold(batch)
        guard changesRows && !rows.isEmpty else { return }
        // A trigger of the app may remove rows when a row changes, also rows whose edits are not folded yet.
        if try foreignTriggers(of: nil).isEmpty { try setRight(rows) } else { rest.append(rows) }
      }
    }
    for rows in rest { try setRight(rows) }
    try setFoldedThrough(last)
  }

  /// Changes the outbox; returns what rows lack.
  private func fold(_ batch: FoldedBatch) throws(StoreError) -> RowsSetRight {
    let outcome = batch.outcome
    for key in outcome.removed {
      try removeOutboxEntry(of: key.className, localID: key.localID)
    }
    try put(
      outcome.entries.map { entry throws(StoreError) in
        entry.localID.isAssigned ? entry : try entry.moved(to: newLocalID(of: entry.className))
      })
    for pointer in outcome.withdrawn {
      try noteWithdrawn(pointer.objectID, of: pointer.className)
    }
    for (record, fields) in outcome.leftOut { try forgetAttempts(of: record, on: fields) }
    return RowsSetRight(translated: batch.translated, reinserted: outcome.reinserted)
  }

  private func setRight(_ rows: RowsSetRight) throws(StoreError) {
    for record in rows.translated {
      try attemptUnlessRefused { () throws(StoreError) in
        guard try self.record(of: record.className, localID: record.localID) != nil else { return }
        try set(record.fields, of: record.className, localID: record.localID)
      }
    }
    for record in rows.reinserted {
      try attemptUnlessRefused { () throws(StoreError) in try adopt(record) }
    }
    let known = rows.reinserted.filter { $0.createdAt != nil }
    guard !known.isEmpty else { return }
    try attemptUnlessRefused { () throws(StoreError) in try restoreLeftOutFields(of: known) }
  }

  /// Does something, or nothing of it where a rule of another program refuses a row.
  ///
  /// - Parameter body: Changes rows.
  /// - Returns: Whether it was done.
  /// - Throws: `StoreError` for anything else, also where the rule ended the transaction.
  @discardableResult
  package func attemptUnlessRefused(_ body: () throws(StoreError) -> Void) throws(StoreError)
    -> Bool
  {
    do throws(StoreError) {
      try attempt(body)
      return true
    } catch {
      guard error.refusal == .row else { throw error }
      return false
    }
  }

  /// Gives a row that the app inserted again what its record had.
  ///
  /// A trigger of the app may have replaced the row since, under another local id, or removed it.
  private func adopt(_ known: Record) throws(StoreError) {
    guard let entity = schema.entity(known.className) else { return }
    guard let row = try record(of: known.className, objectID: known.objectID) else {
      return noteIdentity(known)
    }
    guard let createdAt = known.createdAt else {
      return try setAccessList(known.acl, of: known.className, localID: row.localID)
    }
    let values = entity.fields.map { row[$0.name] }
    try apply(
      [
        ImportRow(
          localID: row.localID, objectID: known.objectID, createdAt: createdAt,
          version: known.version, acl: known.acl, values: values)
      ], to: known.className)
  }
}

/// The rows that folding changes.
private struct RowsSetRight {
  /// The rows whose pointers held a replaced id, with these fields set right.
  var translated: [Record]
  /// Rows that the app inserted again, with what their records had.
  var reinserted: [Record]

  var isEmpty: Bool { translated.isEmpty && reinserted.isEmpty }
}
