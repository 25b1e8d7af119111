// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import FerryStore

// The engine's own data: outbox, conflict records, quarantine, bookkeeping, and pruning of history.
extension SQLiteSyncTransaction {
  /// Tells observers to look: history does not name each row that the engine changes.
  func countCommit() throws(StoreError) {
    try statement(
      "INSERT INTO ferry_meta (key, value) VALUES (?, 1) ON CONFLICT (key) DO UPDATE SET value = value + 1"
    ).bound(MetaKey.engineCommits.rawValue).run()
  }

  func put(_ entries: [OutboxEntry]) throws(StoreError) {
    let references = try NotedReferences(replacingThoseOf: entries, in: self)
    for entry in entries {
      guard let entry = try FieldRemoval.rest(of: entry, in: self) else {
        try removeOutboxEntry(of: entry.className, localID: entry.localID)
        continue
      }
      try keep(entry)
      try references.replace(of: entry)
    }
  }

  private func keep(_ entry: OutboxEntry) throws(StoreError) {
    connection.entangledIDs.insert(entry.objectID, of: entry.className)
    let text = WireJSON.text(of: entry)
    let checksum = Checksum.text(of: text)
    // The object ids of new rows are in no order, so that each write to their index dirties another page.
    try statement(
      """
      INSERT INTO ferry_outbox (class, localId, objectId, clientKey, state, entry, checksum)
      VALUES (?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (class, localId) DO UPDATE SET clientKey = excluded.clientKey,
      state = excluded.state, entry = excluded.entry, checksum = excluded.checksum
      WHERE objectId = excluded.objectId
      """
    ).bound(
      entry.className, entry.localID, entry.objectID, entry.clientKey, entry.state.name, text,
      checksum
    ).run()
    if connection.changedRows == 0 {
      try statement(
        """
        UPDATE ferry_outbox SET objectId = ?3, clientKey = ?4, state = ?5, entry = ?6, checksum = ?7
        WHERE class = ?1 AND localId = ?2
        """
      ).bound(
        entry.className, entry.localID, entry.objectID, entry.clientKey, entry.state.name, text,
        checksum
      ).run()
    }
    // Nobody asks soon for the entries that folding makes; a stage reads them page by page.
    if !entry.attempts.isEmpty { connection.decodedEntries?.keep(entry, as: text) }
  }

  func removeOutboxEntries(of className: String, localIDs: [LocalID]) throws(StoreError) {
    let keys = localIDs.map { RecordKey(className: className, localID: $0) }
    let references = try NotedReferences(of: keys, in: self)
    let delete = try statement("DELETE FROM ferry_outbox WHERE class = ? AND localId = ?")
    for key in keys {
      try references.remove(of: key)
      try delete.bound(className, key.localID).run()
    }
  }

  func recordConflict(_ entry: ConflictRecord) throws(StoreError) {
    try statement(
      """
      INSERT INTO ferry_conflict (time, class, localId, objectId, reason, lost, kept, whole,
        acl, restored, seen, run)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """
    ).bound(
      entry.time, entry.record.className, entry.record.localID, entry.record.objectID,
      entry.reason.rawValue, try StoredJSON.columnText(entry.lost),
      try StoredJSON.columnText(entry.kept), entry.isWholeRecord ? 1 : 0, entry.acl,
      entry.restoredRow.map { -$0.rawValue } ?? (entry.isRestored ? 1 : 0), entry.isSeen ? 1 : 0,
      entry.run ?? conflictRun
    ).run()
  }

  func attributeConflicts(to run: Int64) { conflictRun = run }

  func pruneConflicts(
    keeping retention: ConflictRetention, limit: Int
  ) throws(StoreError) -> Bool {
    let last = try statement("SELECT max(id) FROM ferry_conflict").first { $0.integer(0) } ?? 0
    var left = max(limit, 0)
    for (seen, since) in [(1, retention.seenSince), (0, retention.unseenSince)] {
      // A parameter would have SQLite prepare the statement anew for each value: an index has the unseen records alone.
      let needless = try statement(
        "SELECT id FROM ferry_conflict WHERE seen = \(seen) AND time < ? AND id <= ? LIMIT ?"
      ).bound(since, retention.lastNeedless(newest: last), left).rows { $0.integer(0) }
      for id in needless {
        try statement("DELETE FROM ferry_conflict WHERE id = ?").bound(id).run()
      }
      left -= needless.count
    }
    return left == 0
  }

  func quarantine(_ record: QuarantinedRecord) throws(StoreError) {
    connection.entangledIDs.insert(record.objectID, of: record.className)
    try statement(
      """
      INSERT OR REPLACE INTO ferry_quarantine
      (class, objectId, version, createdAt, raw, reason, schemaFingerprint)
      VALUES (?, ?, ?, ?, ?, ?, ?)
      """
    ).bound(
      record.className, record.objectID, record.version, record.createdAt, record.raw,
      record.reason, record.schemaFingerprint
    ).run()
  }

  func removeFromQuarantine(_ className: String, objectIDs: [String]) throws(StoreError) {
    let delete = try statement("DELETE FROM ferry_quarantine WHERE class = ? AND objectId = ?")
    for objectID in objectIDs { try delete.bound(className, objectID).run() }
  }

  func setBookkeeping(_ key: String, to json: String?) throws(StoreError) {
    try writeBookkeeping(key, to: json)
  }

  // MARK: - History

  func setFoldedThrough(_ token: HistoryToken) throws(StoreError) {
    try markUnfolded(through: token.rawValue)
    try setMeta(.foldedThrough, to: token.rawValue)
    try countDeletions(through: token.rawValue)
  }

  /// Subtracts the app's deletions from the stored counts, so that reading a count is cheap.
  private func countDeletions(through token: Int64) throws(StoreError) {
    let counted = try meta(.countedThrough)
    guard token > counted else { return }
    for (classNumber, count) in try deletedCounts(after: counted, through: token) {
      try statement("UPDATE ferry_class SET acknowledged = acknowledged - ? WHERE number = ?")
        .bound(count, classNumber).run()
    }
    try setMeta(.countedThrough, to: token)
  }

  func pruneHistory(keeping retention: HistoryRetention, limit: Int) throws(StoreError) -> Bool {
    try clock.note()
    let merged = try statement("SELECT min(token) FROM ferry_reader").first {
      $0.isNull(0) ? nil : HistoryToken(rawValue: $0.integer(0))
    }
    let pruned = try meta(.prunedThrough)
    let last = try lastToken()
    let unread = try retention.needless(last: last, merged: merged.flatMap(\.self)) {
      time throws(StoreError) in HistoryToken(rawValue: try clock.lastToken(before: time))
    }
    // The last row stays: the next one has to have a greater token.
    let needless = min(
      try meta(.foldedThrough), try unfoldedMarks().first ?? .max, unread.rawValue,
      last.rawValue - 1)
    guard needless > pruned else { return false }
    let end = pruned + min(needless - pruned, Int64(max(limit, 0)))
    try countDeletions(through: end)
    try statement("DELETE FROM ferry_log WHERE token <= ?").bound(end).run()
    try statement("DELETE FROM ferry_log_time WHERE token <= ?").bound(end).run()
    try statement(
      "UPDATE ferry_identity SET lastKnown = NULL, knownAt = NULL WHERE knownAt <= ?"
    ).bound(end).run()
    try setMeta(.prunedThrough, to: end)
    return end < needless
  }
}

extension SQLiteReader {
  /// Writes a note of the engine; the caller is one that may write to Ferry's own tables.
  func writeBookkeeping(_ key: String, to json: String?) throws(StoreError) {
    if let json {
      try statement("INSERT OR REPLACE INTO ferry_bookkeeping (key, json) VALUES (?, ?)")
        .bound(key, json).run()
    } else {
      try statement("DELETE FROM ferry_bookkeeping WHERE key = ?").bound(key).run()
    }
  }
}
