// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning

/// A write transaction of the engine in an in-memory store.
final class InMemorySyncTransaction: InMemoryReader, SyncTransaction {
  /// The run to which new conflict records belong.
  private var conflictRun: Int64?

  func apply(_ rows: [ImportRow], to className: String) throws(StoreError) -> [LocalID] {
    let entity = try state.schema.registered(className)
    return try change { state throws(StoreError) in
      var inserted: [LocalID] = []
      let localIDs = try rows.map { row throws(StoreError) in
        let record = try entity.record(of: row)
        guard let localID = row.localID else {
          let new = try state.insertImported(record)
          inserted.append(new)
          return new
        }
        guard let old = try state.table(className).rows[localID] else {
          throw StoreError.noSuchRecord(className, localID)
        }
        let lost = try state.replace(old, by: record)
        state.logUpdate(of: old, lost)
        return localID
      }
      state.logInsertions(inserted, of: className)
      return localIDs
    }
  }

  func newLocalID(of className: String) throws(StoreError) -> LocalID {
    var id = LocalID()
    try change { state throws(StoreError) in
      id = LocalID(rawValue: try state.table(className).lastLocalID.rawValue + 1)
      state.tables[className]?.lastLocalID = id
    }
    return id
  }

  func remove(_ localIDs: [LocalID], from className: String) throws(StoreError) {
    for record in try records(of: className, localIDs: localIDs) {
      try remember(record.localID, objectID: record.objectID, of: className)
      try change { state in
        state.delete(record)
        state.log(.delete, className, record.localID...record.localID, author: .sync)
      }
    }
  }

  /// This store has no triggers.
  func putBackRowsRemovedByTriggers() -> TriggeredRemovals { TriggeredRemovals() }

  /// This store has no triggers.
  func noteIdentity(_ known: Record) {}

  /// No other program has its rows.
  func restoreLeftOutFields(of records: [Record]) {}

  func set(_ fields: Fields, of className: String, localID: LocalID) throws(StoreError) {
    let entity = try state.schema.registered(className)
    for name in fields.names { _ = try entity.declaredField(name) }
    guard let old = try record(of: className, localID: localID) else {
      throw StoreError.noSuchRecord(className, localID)
    }
    var record = old
    record.fields = old.fields.merging(fields)
    try change { state throws(StoreError) in
      let lost = try state.replace(old, by: record)
      state.logUpdate(of: old, lost)
    }
  }

  func setAccessList(_ acl: Value, of className: String, localID: LocalID) throws(StoreError) {
    guard let old = try record(of: className, localID: localID) else {
      throw StoreError.noSuchRecord(className, localID)
    }
    var record = old
    record.acl = acl
    try change { state throws(StoreError) in
      let lost = try state.replace(old, by: record)
      state.logUpdate(of: old, lost)
    }
  }

  func reinstate(_ record: Record) throws(StoreError) {
    try change { state throws(StoreError) in
      guard try state.table(record.className).rows[record.localID] == nil else {
        throw StoreError(
          .duplicateObjectID,
          "The class \(record.className) has a row with the local id \(record.localID) already, so "
            + "nothing was written.")
      }
      let localID = try state.insert(record)
      state.logInsertions([localID], of: record.className)
    }
  }

  func recreate(_ record: Record) throws(StoreError) {
    guard let old = try self.record(of: record.className, localID: record.localID) else {
      return try reinstate(record)
    }
    try remember(old.localID, objectID: old.objectID, of: old.className)
    try change { state throws(StoreError) in
      let lost = try state.replace(old, by: record)
      state.logUpdate(of: old, lost)
    }
  }

  func remember(
    _ localID: LocalID, objectID: String, of className: String, lastKnown: Fields
  ) throws(StoreError) {
    try change { state in
      state.tables[className]?.formerIDs[objectID] = localID
      state.tables[className]?.lastKnown[objectID] =
        lastKnown.isEmpty ? nil : (lastKnown, state.lastToken)
    }
  }

  func noteWithdrawn(_ objectID: String, of className: String) throws(StoreError) {
    try change { _ = $0.withdrawn[className, default: []].insert(objectID) }
  }

  /// A store in memory has one program, which declares all fields.
  func forgetAttempts(of record: Pointer, on fields: Set<String>) {}

  // MARK: - Bookkeeping

  func put(_ entries: [OutboxEntry]) throws(StoreError) {
    try change { state in
      for entry in entries {
        state.outbox[entry.key] = entry
        state.noteReferences(entry.base, of: entry.key)
        for attempt in entry.attempts { state.noteReferences(attempt.sent, of: entry.key) }
      }
    }
  }

  func removeOutboxEntries(of className: String, localIDs: [LocalID]) throws(StoreError) {
    try change { state in
      for localID in localIDs {
        state.outbox[RecordKey(className: className, localID: localID)] = nil
      }
    }
  }

  func setFoldedThrough(_ token: HistoryToken) throws(StoreError) {
    try change { $0.foldedThrough = token }
  }

  func recordConflict(_ entry: ConflictRecord) throws(StoreError) {
    try change { state in
      var entry = entry
      state.lastConflict += 1
      entry.id = state.lastConflict
      entry.run = entry.run ?? conflictRun
      state.conflicts.append(entry)
    }
  }

  func attributeConflicts(to run: Int64) { conflictRun = run }

  func pruneConflicts(
    keeping retention: ConflictRetention, limit: Int
  ) throws(StoreError) -> Bool {
    try change { state in
      let last = state.lastConflict
      let needless = state.conflicts.lazy.filter { retention.isNeedless($0, newest: last) }
        .prefix(max(limit, 0)).map(\.id)
      let ids = Set(needless)
      state.conflicts.removeAll { ids.contains($0.id) }
      return ids.count == max(limit, 0)
    }
  }

  func quarantine(_ record: QuarantinedRecord) throws(StoreError) {
    try change { $0.quarantine[record.className, default: [:]][record.objectID] = record }
  }

  func removeFromQuarantine(_ className: String, objectIDs: [String]) throws(StoreError) {
    try change { state in
      for objectID in objectIDs { state.quarantine[className]?[objectID] = nil }
    }
  }

  func setBookkeeping(_ key: String, to json: String?) throws(StoreError) {
    try change { $0.bookkeeping[key] = json }
  }

  func pruneHistory(keeping retention: HistoryRetention, limit: Int) throws(StoreError) -> Bool {
    try change { state in
      let unread = retention.needless(
        last: HistoryToken(rawValue: state.lastToken), merged: state.readers.values.min(),
        lastRow: state.lastToken)
      let needless = min(state.foldedThrough, unread).rawValue
      guard needless > state.prunedThrough else { return false }
      let end = state.prunedThrough + min(needless - state.prunedThrough, Int64(max(limit, 0)))
      for token in (state.prunedThrough + 1)..<(end + 1) {
        state.history[token] = nil
        state.notes[token] = nil
      }
      for (className, table) in state.tables where !table.lastKnown.isEmpty {
        state.tables[className]?.lastKnown = table.lastKnown.filter { $0.value.token > end }
      }
      state.prunedThrough = end
      return end < needless
    }
  }
}

extension InMemoryState {
  /// Inserts a row of the server under the local id that its object id had before.
  fileprivate mutating func insertImported(_ record: Record) throws(StoreError) -> LocalID {
    var record = record
    let table = try table(record.className)
    if let former = table.formerIDs[record.objectID], table.rows[former] == nil {
      let entry = outbox[RecordKey(className: record.className, localID: former)]
      if entry == nil || entry?.objectID == record.objectID { record.localID = former }
    }
    return try insert(record)
  }

  mutating func logUpdate(of old: Record, _ lost: Fields) {
    guard !lost.isEmpty else { return }
    log(
      .update, old.className, old.localID...old.localID, author: .sync,
      fields: Set(lost.values.keys), destroyed: .update(old: lost))
  }
}

extension Entity {
  fileprivate func record(of row: ImportRow) throws(StoreError) -> Record {
    guard row.values.count == fields.count else {
      throw StoreError(
        .wrongType,
        "A row of \(name) to import has \(row.values.count) values for \(fields.count) fields, so "
          + "nothing of it was stored.")
    }
    let values = zip(fields, row.values).map { ($0.name, $1) }
    return Record(
      className: name, localID: row.localID ?? LocalID(), objectID: row.objectID,
      fields: Fields(Dictionary(values, uniquingKeysWith: { first, _ in first })), acl: row.acl,
      createdAt: row.createdAt, version: row.version)
  }
}
