// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning

/// A write transaction of the app in an in-memory store.
final class InMemoryWriteTransaction: InMemoryReader, CapturedTransaction {
  private let mintID: () -> String
  var step = TransactionNote.Step.edit

  init(_ state: InMemoryState, mintID: @escaping () -> String) {
    self.mintID = mintID
    super.init(state)
  }

  func insert(
    _ className: String, _ fields: Fields, objectID: String?, accessList: Value
  ) throws(StoreError) -> RecordReference {
    let entity = try state.schema.registered(className)
    if let objectID { try entity.checkObjectID(objectID) }
    return try insert(
      Record(
        className: className, objectID: objectID ?? mintID(),
        fields: entity.initialFields.merging(try entity.normalized(fields)), acl: accessList))
  }

  /// Each program declares all fields: no other has the rows.
  func hasUndeclaredFields(in className: String) -> Bool { false }

  func insertAgain(_ row: RecordReference, _ fields: Fields, acl: Value) throws(StoreError) {
    let entity = try state.schema.registered(row.className)
    var record = Record(
      className: row.className, localID: row.localID, objectID: row.objectID,
      fields: entity.initialFields.merging(try entity.normalized(fields)), acl: acl)
    if try self.record(of: row.className, localID: row.localID) != nil {
      record.localID = LocalID()
    }
    _ = try insert(record)
  }

  private func insert(_ record: Record) throws(StoreError) -> RecordReference {
    var record = record
    try change { state throws(StoreError) in
      record.localID = try state.insert(record)
      state.log(
        .insert, record.className, record.localID...record.localID, author: .app,
        destroyed: .insert)
    }
    return record.reference
  }

  func update(
    _ className: String, _ localID: LocalID, _ fields: Fields, accessList: Value?
  ) throws(StoreError) {
    let entity = try state.schema.registered(className)
    let fields = try entity.normalized(fields, isRowPresent: true)
    let old = try existing(className, localID)
    var record = old
    record.fields = old.fields.merging(fields)
    record.acl = accessList ?? old.acl
    try change { state throws(StoreError) in
      let lost = try state.replace(old, by: record)
      guard !lost.isEmpty else { return }
      state.log(
        .update, className, localID...localID, author: .app, fields: Set(lost.values.keys),
        destroyed: .update(old: lost))
    }
  }

  func delete(_ className: String, _ localID: LocalID) throws(StoreError) {
    let old = try existing(className, localID)
    try change { state in
      state.delete(old)
      state.log(
        .delete, className, localID...localID, author: .app, destroyed: .delete(old: old))
    }
  }

  func setToken(_ token: HistoryToken, ofReader name: String) throws(StoreError) {
    try change { $0.readers[name] = token }
  }

  func removeReader(_ name: String) throws(StoreError) {
    try change { $0.readers[name] = nil }
  }

  func setBookkeeping(_ key: String, to json: String?) throws(StoreError) {
    try change { $0.bookkeeping[key] = json }
  }

  func setUndone(_ note: TransactionNote) throws(StoreError) {
    try change { $0.notes[note.tokens.upperBound.rawValue]?.isUndone = true }
  }

  /// This store has no triggers.
  func checkIsThere(_ row: RecordReference) {}

  func markSeen(_ conflict: ConflictRecord, restoredIn row: LocalID?) throws(StoreError) -> Bool {
    try markSeen(restoredIn: row) { $0.id == conflict.id } > 0
  }

  func markConflictsSeen(of className: String?, through id: Int64?) throws(StoreError) -> Int {
    try markSeen(restoredIn: nil) { conflict in
      (conflict.id ?? 0) <= id ?? .max && className.map { $0 == conflict.record.className } ?? true
    }
  }

  /// - Returns: The number of those that were unseen.
  private func markSeen(
    restoredIn row: LocalID?, _ isMeant: (ConflictRecord) -> Bool
  ) throws(StoreError) -> Int {
    try change { state in
      var count = 0
      for index in state.conflicts.indices where isMeant(state.conflicts[index]) {
        count += state.conflicts[index].isSeen ? 0 : 1
        state.conflicts[index].isSeen = true
        guard let row else { continue }
        state.conflicts[index].isRestored = true
        state.conflicts[index].restoredRow = row
      }
      return count
    }
  }

  private func existing(_ className: String, _ localID: LocalID) throws(StoreError) -> Record {
    guard let record = try record(of: className, localID: localID) else {
      throw StoreError.noSuchRecord(className, localID)
    }
    return record
  }
}
