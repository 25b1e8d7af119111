// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import FerryStore

/// A transaction of the engine that passes everything on to another one.
protocol ForwardingTransaction: SyncTransaction, ForwardingReader {
  var transaction: any SyncTransaction { get }
}

extension ForwardingTransaction {
  var reader: any SyncReader { transaction }

  func attempt<Result>(
    _ body: () throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    try transaction.attempt(body)
  }
  func apply(_ rows: [ImportRow], to className: String) throws(StoreError) -> [LocalID] {
    try transaction.apply(rows, to: className)
  }
  func insertNewRows(
    _ rows: [Int], of batch: RowBatch, into className: String
  ) throws(StoreError) -> BatchComparison {
    try transaction.insertNewRows(rows, of: batch, into: className)
  }
  func overwrite(
    _ matches: [BatchMatch], with batch: RowBatch, in className: String
  ) throws(StoreError) {
    try transaction.overwrite(matches, with: batch, in: className)
  }
  func remove(_ localIDs: [LocalID], from className: String) throws(StoreError) {
    try transaction.remove(localIDs, from: className)
  }
  func putBackRowsRemovedByTriggers() throws(StoreError) -> TriggeredRemovals {
    try transaction.putBackRowsRemovedByTriggers()
  }
  func noteIdentity(_ known: Record) { transaction.noteIdentity(known) }
  func set(_ fields: Fields, of className: String, localID: LocalID) throws(StoreError) {
    try transaction.set(fields, of: className, localID: localID)
  }
  func setAccessList(_ acl: Value, of className: String, localID: LocalID) throws(StoreError) {
    try transaction.setAccessList(acl, of: className, localID: localID)
  }
  func restoreLeftOutFields(of records: [Record]) throws(StoreError) {
    try transaction.restoreLeftOutFields(of: records)
  }
  func reinstate(_ record: Record) throws(StoreError) { try transaction.reinstate(record) }
  func recreate(_ record: Record) throws(StoreError) { try transaction.recreate(record) }
  func bindRow(
    _ key: RecordKey, from old: String, to objectID: String, createdAt: Timestamp
  ) throws(StoreError) {
    try transaction.bindRow(key, from: old, to: objectID, createdAt: createdAt)
  }
  func bindNewRows(_ bindings: [RowBinding]) throws(StoreError) -> Bool {
    try transaction.bindNewRows(bindings)
  }
  func redirect(from old: String, to new: String, of className: String) throws(StoreError) {
    try transaction.redirect(from: old, to: new, of: className)
  }
  func remember(
    _ localID: LocalID, objectID: String, of className: String, lastKnown: Fields
  ) throws(StoreError) {
    try transaction.remember(localID, objectID: objectID, of: className, lastKnown: lastKnown)
  }
  func newLocalID(of className: String) throws(StoreError) -> LocalID {
    try transaction.newLocalID(of: className)
  }
  func noteWithdrawn(_ objectID: String, of className: String) throws(StoreError) {
    try transaction.noteWithdrawn(objectID, of: className)
  }
  func forgetAttempts(of record: Pointer, on fields: Set<String>) throws(StoreError) {
    try transaction.forgetAttempts(of: record, on: fields)
  }
  func put(_ entries: [OutboxEntry]) throws(StoreError) { try transaction.put(entries) }
  func removeOutboxEntries(of className: String, localIDs: [LocalID]) throws(StoreError) {
    try transaction.removeOutboxEntries(of: className, localIDs: localIDs)
  }
  func setFoldedThrough(_ token: HistoryToken) throws(StoreError) {
    try transaction.setFoldedThrough(token)
  }
  func recordConflict(_ entry: ConflictRecord) throws(StoreError) {
    try transaction.recordConflict(entry)
  }
  func attributeConflicts(to run: Int64) { transaction.attributeConflicts(to: run) }
  func pruneConflicts(
    keeping retention: ConflictRetention, limit: Int
  ) throws(StoreError) -> Bool {
    try transaction.pruneConflicts(keeping: retention, limit: limit)
  }
  func quarantine(_ record: QuarantinedRecord) throws(StoreError) {
    try transaction.quarantine(record)
  }
  func removeFromQuarantine(_ className: String, objectIDs: [String]) throws(StoreError) {
    try transaction.removeFromQuarantine(className, objectIDs: objectIDs)
  }
  func setBookkeeping(_ key: String, to json: String?) throws(StoreError) {
    try transaction.setBookkeeping(key, to: json)
  }
  func pruneHistory(keeping retention: HistoryRetention, limit: Int) throws(StoreError) -> Bool {
    try transaction.pruneHistory(keeping: retention, limit: limit)
  }
}
