// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import FerryStore

/// A transaction of the engine that takes notes of what is written, for the oracle.
struct WatchedTransaction: ForwardingTransaction {
  let transaction: any SyncTransaction
  let notes: StoreNotes

  func apply(_ rows: [ImportRow], to className: String) throws(StoreError) -> [LocalID] {
    let fields = schema.entity(className)?.fields ?? []
    for row in rows {
      notes.values.append(
        (
          className,
          Fields(
            Dictionary(
              zip(fields.map(\.name), row.values), uniquingKeysWith: { $1 }))
        ))
    }
    return try transaction.apply(rows, to: className)
  }

  func reinstate(_ record: Record) throws(StoreError) {
    notes.values.append((record.className, record.fields))
    try transaction.reinstate(record)
  }

  func remove(_ localIDs: [LocalID], from className: String) throws(StoreError) {
    for localID in localIDs {
      guard let row = try transaction.record(of: className, localID: localID) else { continue }
      notes.removed.append((className, row.fields))
    }
    try transaction.remove(localIDs, from: className)
  }

  func recordConflict(_ entry: ConflictRecord) throws(StoreError) {
    notes.conflicts.append(entry)
    try transaction.recordConflict(entry)
  }
}
