// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import FerryStore

/// A transaction of the engine that takes notes of what is written, for the oracle.
struct WatchedTransaction: ForwardingTransaction {
  let transaction: any SyncTransaction
  let notes: StoreNotes

  func apply(_ rows: [ImportRow], to className: String) throws(StoreError) -> [LocalID] {
    note(rows, of: className)
    return try transaction.apply(rows, to: className)
  }

  func insertNewRows(
    _ rows: [Int], of batch: RowBatch, into className: String
  ) throws(StoreError) -> BatchComparison {
    let comparison = try transaction.insertNewRows(rows, of: batch, into: className)
    note(comparison.inserted, of: batch, className)
    return comparison
  }

  func overwrite(
    _ matches: [BatchMatch], with batch: RowBatch, in className: String
  ) throws(StoreError) {
    note(matches.map(\.row), of: batch, className)
    try transaction.overwrite(matches, with: batch, in: className)
  }

  private func note(_ rows: [Int], of batch: RowBatch, _ className: String) {
    guard let entity = schema.entity(className) else { return }
    note(batch.read { view in rows.map { view.importRow($0, of: entity) } }, of: className)
  }

  private func note(_ rows: [ImportRow], of className: String) {
    let names = (schema.entity(className)?.fields ?? []).map(\.name)
    for row in rows {
      let fields = Dictionary(zip(names, row.values), uniquingKeysWith: { $1 })
      notes.values.append((className, Fields(fields), row.acl))
    }
  }

  func setAccessList(_ acl: Value, of className: String, localID: LocalID) throws(StoreError) {
    if let row = try transaction.record(of: className, localID: localID) {
      notes.values.append((className, row.fields, acl))
    }
    try transaction.setAccessList(acl, of: className, localID: localID)
  }

  func reinstate(_ record: Record) throws(StoreError) {
    notes.values.append((record.className, record.fields, record.acl))
    try transaction.reinstate(record)
  }

  func recreate(_ record: Record) throws(StoreError) {
    try noteRemoval(of: [record.localID], from: record.className)
    notes.values.append((record.className, record.fields, record.acl))
    try transaction.recreate(record)
  }

  func remove(_ localIDs: [LocalID], from className: String) throws(StoreError) {
    try noteRemoval(of: localIDs, from: className)
    try transaction.remove(localIDs, from: className)
  }

  private func noteRemoval(of localIDs: [LocalID], from className: String) throws(StoreError) {
    for localID in localIDs {
      guard let row = try transaction.record(of: className, localID: localID) else { continue }
      notes.removed.append((className, row.fields))
    }
  }

  func recordConflict(_ entry: ConflictRecord) throws(StoreError) {
    notes.conflicts.append(entry)
    try transaction.recordConflict(entry)
  }
}
