// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import FerryStore

/// A transaction of the engine with a mistake.
struct MistakenTransaction: ForwardingTransaction, Mistaken {
  let transaction: any SyncTransaction
  let mistake: Mistake

  func apply(_ rows: [ImportRow], to className: String) throws(StoreError) -> [LocalID] {
    try transaction.apply(
      mistake.has(.mergeNotWritten) ? withoutMerges(rows, of: className) : rows, to: className)
  }
  func set(_ fields: Fields, of className: String, localID: LocalID) throws(StoreError) {
    guard !mistake.has(.mergeNotWritten) else { return }
    try transaction.set(fields, of: className, localID: localID)
  }

  /// The rows with unsent edits keep their values, under the new version.
  private func withoutMerges(
    _ rows: [ImportRow], of className: String
  ) throws(StoreError) -> [ImportRow] {
    guard let entity = schema.entity(className) else { return rows }
    var kept = rows
    for place in kept.indices {
      guard let localID = kept[place].localID,
        let row = try transaction.record(of: className, localID: localID),
        try !transaction.outboxEntries(of: className, localIDs: [localID]).isEmpty
      else { continue }
      kept[place].values = entity.fields.map { row[$0.name] }
    }
    return kept
  }

  func removeOutboxEntries(of className: String, localIDs: [LocalID]) throws(StoreError) {
    if mistake.has(.clearsLaterEdits) {
      try transaction.setFoldedThrough(try transaction.lastToken())
    }
    try transaction.removeOutboxEntries(of: className, localIDs: localIDs)
  }
  func recordConflict(_ entry: ConflictRecord) throws(StoreError) {
    guard !mistake.has(.noConflictRecords) else { return }
    try transaction.recordConflict(entry)
  }
}
