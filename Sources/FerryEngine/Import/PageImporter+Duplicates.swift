// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryParse
import FerryPlanning
import FerryStore

// Several records that one create made. Every device keeps the oldest.
extension PageImporter {
  /// Sends a delete for the duplicate of a create; its values become a conflict record.
  ///
  /// The duplicate becomes a row for a moment, to get its own local id.
  func discard(_ duplicate: ServerRecord, in transaction: any SyncTransaction) throws(StoreError) {
    let ids = try transaction.apply([planner.row(duplicate, localID: nil)], to: className)
    guard let localID = ids.first else { return }
    try transaction.remove([localID], from: className)
    let fields = duplicate.fields(of: planner.entity)
    let entry = OutboxEntry(
      deleting: Record(
        className: className, localID: localID, objectID: duplicate.objectID, fields: fields,
        acl: duplicate.acl, createdAt: duplicate.createdAt, version: duplicate.version),
      foldedThrough: try transaction.foldedThrough())
    try transaction.put(entry)
    let name = RecordReference(
      className: className, localID: localID, objectID: duplicate.objectID)
    try transaction.recordConflict(
      ConflictRecord(
        time: planner.now, record: name, reason: .duplicateMerged, lost: fields,
        isWholeRecord: true, acl: duplicate.acl))
  }

  /// Binds the row to the original record, and discards the duplicate that the row had.
  func adopt(_ original: OriginalRecord, in transaction: any SyncTransaction) throws(StoreError) {
    let younger = original.younger
    guard let createdAt = younger.createdAt else { return }
    try transaction.name(
      younger.key, from: younger.objectID, to: original.record.objectID,
      createdAt: original.record.createdAt, now: planner.now)
    let unsent = try transaction.entries([younger.key])[younger.key]
    let held = younger.fields.merging(unsent?.base ?? Fields())
    try discard(
      ServerRecord(
        objectID: younger.objectID, createdAt: createdAt,
        version: younger.version ?? ServerVersion(rawValue: createdAt.description),
        acl: younger.acl, values: planner.entity.fields.map { held[$0.name] ?? .null }),
      in: transaction)
    try carryAdditions(to: original, in: transaction)
  }

  /// Sends additions to the duplicate again, as additions to the original.
  ///
  /// Both began with what the create sent. The original shows that as long as no other client has edited it.
  private func carryAdditions(
    to original: OriginalRecord, in transaction: any SyncTransaction
  ) throws(StoreError) {
    let numbers = planner.entity.counters
    guard !numbers.isEmpty,
      let row = try transaction.record(of: className, localID: original.younger.localID)
    else { return }
    let record = original.record
    let isUntouched = record.version.rawValue == record.createdAt.description
    let end = try transaction.foldedThrough()
    var entry =
      try transaction.entries([row.key])[row.key] ?? OutboxEntry(editing: row, foldedThrough: end)
    let shown = isUntouched ? record.fields(of: planner.entity).only(numbers) : nil
    if entry.carryAdditions(in: numbers, of: row, sinceCreate: shown) {
      try transaction.put(entry)
    }
  }
}
