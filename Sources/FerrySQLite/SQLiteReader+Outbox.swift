// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import FerryStore

extension SQLiteReader {
  func outbox(
    _ selection: OutboxSelection, of className: String?, after key: RecordKey?, limit: Int
  ) throws(StoreError) -> [OutboxEntry] {
    // An index over both columns finds the rows behind a key without a look at those before it. Of one class, SQLite
    // would go through all of them before it compared pairs.
    let behind =
      className == nil ? "(class, localId) > (?1, ?2)" : "class = ?1 AND localId > ?2"
    return try statement(
      "\(Self.selectEntries) WHERE \(behind)\(selection.condition) ORDER BY class, localId LIMIT ?3"
    ).bound(
      className ?? key?.className ?? "", key?.localID ?? LocalID(rawValue: .min), max(limit, 0)
    ).rows { row throws(StoreError) in
      try outboxEntry(row, isRememberedAfter: false)
    }
  }

  func outboxTotals(of kind: OutboxEntry.Kind) throws(StoreError) -> [String: OutboxTotal] {
    // A page that is read later finds the entry that is no JSON.
    let totals = try statement(
      "SELECT class, count(*), max(localId) FROM ferry_outbox"
        + " WHERE json_valid(entry) AND json_extract(entry, '$.kind') = ? GROUP BY class"
    ).bound(kind.rawValue).rows {
      ($0.text(0), OutboxTotal(count: $0.count(1), last: $0.localID(2)))
    }
    return Dictionary(totals, uniquingKeysWith: { first, _ in first })
  }

  func outboxCounts() throws(StoreError) -> [String: Int] { try outboxCounts(where: "1") }

  func unsentOutboxCounts() throws(StoreError) -> [String: Int] {
    // A page that is read later finds the entry that is no JSON.
    try outboxCounts(
      where: "state <> 'confirming' OR iif(json_valid(entry), json_extract(entry, '$.rule'), 1)"
        + " IS NOT NULL")
  }

  private func outboxCounts(where condition: String) throws(StoreError) -> [String: Int] {
    let counts = try statement(
      "SELECT class, count(*) FROM ferry_outbox WHERE \(condition) GROUP BY class"
    ).rows { ($0.text(0), $0.count(1)) }
    return Dictionary(counts, uniquingKeysWith: { first, _ in first })
  }

  func outboxEntries(of className: String, localIDs: [LocalID]) throws(StoreError) -> [OutboxEntry]
  {
    guard let range = ManyKeys.denseRange(localIDs) else {
      return try outboxEntries(of: className, localIDs, by: "localId")
    }
    let wanted = Set(localIDs)
    let statement = try statement(
      "\(Self.selectEntries) WHERE class = ? AND localId BETWEEN ? AND ?"
    ).bound(className, range.lowerBound, range.upperBound)
    return try statement.rows { row throws(StoreError) in
      wanted.contains(row.localID(3)) ? try outboxEntry(row) : nil
    }.compactMap(\.self)
  }

  func outboxEntries(of className: String, objectIDs: [String]) throws(StoreError) -> [OutboxEntry]
  {
    guard let list = ManyKeys.jsonList(objectIDs) else {
      return try outboxEntries(of: className, objectIDs, by: "objectId")
    }
    return try statement(
      "\(Self.selectEntries) WHERE class = ? AND objectId IN (SELECT value FROM json_each(?))"
    ).bound(className, list).rows { row throws(StoreError) in
      try outboxEntry(row, isRememberedAfter: false)
    }
  }

  func outboxEntries(of className: String, clientKeys: [String]) throws(StoreError) -> [OutboxEntry]
  {
    try outboxEntries(of: className, clientKeys, by: "clientKey")
  }

  private func outboxEntries(
    of className: String, _ values: [some SQLiteBindable], by column: StaticString
  ) throws(StoreError) -> [OutboxEntry] {
    let statement = try statement(
      "\(Self.selectEntries) WHERE class = ?1 AND \(column) = ?2")
    var entries: [OutboxEntry] = []
    for value in values {
      entries += try statement.bound(className, value).rows(outboxEntry)
    }
    return entries
  }

  /// The beginning of a query for entries; `outboxEntry` reads its rows.
  static let selectEntries =
    "SELECT entry, checksum, class, localId, objectId, clientKey FROM ferry_outbox"

  /// An entry says what to send to which record, so that a damaged one must not be used.
  ///
  /// The columns by which it is found must say the same: a page that begins behind another key than its
  /// last entry has would come again and again.
  func outboxEntry(_ row: SQLiteStatement) throws(StoreError) -> OutboxEntry {
    try outboxEntry(row, isRememberedAfter: true)
  }

  /// A page of the outbox, and the entries of a page of records, are not remembered: they would push out what is
  /// being sent.
  private func outboxEntry(
    _ row: SQLiteStatement, isRememberedAfter: Bool
  ) throws(StoreError) -> OutboxEntry {
    let key = RecordKey(className: row.text(2), localID: row.localID(3))
    let known = connection.decodedEntries?.entry(of: key, at: 0, of: row)
    let entry =
      if let known { known } else { try decodedEntry(row, isRemembered: isRememberedAfter) }
    guard entry.key == key, entry.objectID == row.text(4), entry.clientKey == row.optionalText(5)
    else { throw StoredJSON.damaged() }
    return entry
  }

  private func decodedEntry(
    _ row: SQLiteStatement, isRemembered: Bool
  ) throws(StoreError) -> OutboxEntry {
    let text = row.text(0)
    guard Checksum.text(of: text) == row.text(1) else { throw StoredJSON.damaged() }
    let entry: OutboxEntry = try StoredJSON.columnNote(reading: text)
    if isRemembered { connection.decodedEntries?.keep(entry, as: text) }
    return entry
  }

  // MARK: - Conflicts and quarantine

  func conflicts(
    of className: String?, before id: Int64?, limit: Int?
  ) throws(StoreError) -> [ConflictRecord] {
    let only = className == nil ? "" : " AND class = ?3"
    let statement = try statement(
      "\(Self.selectConflicts) WHERE id < ?1\(only) ORDER BY id DESC LIMIT ?2")
    let (end, count) = (id ?? .max, limit.map { max($0, 0) } ?? -1)
    guard let className else { return try statement.bound(end, count).rows(conflict) }
    return try statement.bound(end, count, className).rows(conflict)
  }

  func conflicts(ofRun run: Int64) throws(StoreError) -> [ConflictRecord] {
    // A run has the number of its first conflict record.
    try statement("\(Self.selectConflicts) WHERE id >= ?1 AND run = ?1 ORDER BY id DESC").bound(run)
      .rows(conflict)
  }

  func unseenConflictCounts() throws(StoreError) -> [String: Int] {
    let counts = try statement(
      "SELECT class, count(*) FROM ferry_conflict WHERE seen = 0 GROUP BY class"
    ).rows { ($0.text(0), $0.count(1)) }
    return Dictionary(counts, uniquingKeysWith: { first, _ in first })
  }

  func conflictCounts(after id: Int64) throws(StoreError) -> [String: [ConflictRecord.Reason: Int]]
  {
    let rows = try statement(
      "SELECT class, reason, count(*) FROM ferry_conflict WHERE id > ? GROUP BY class, reason"
    ).bound(id).rows { ($0.text(0), Self.reason($0.text(1)), $0.count(2)) }
    return rows.reduce(into: [:]) { $0[$1.0, default: [:]][$1.1, default: 0] += $1.2 }
  }

  func conflict(_ id: Int64) throws(StoreError) -> ConflictRecord? {
    try statement("\(Self.selectConflicts) WHERE id = ?").bound(id).first(conflict)
  }

  private static let selectConflicts =
    """
    SELECT id, time, class, localId, objectId, reason, lost, kept, whole, acl, restored, seen, run
    FROM ferry_conflict
    """

  private func conflict(_ row: SQLiteStatement) throws(StoreError) -> ConflictRecord {
    ConflictRecord(
      id: row.integer(0), time: row.timestamp(1) ?? .earliest,
      record: RecordReference(
        className: row.text(2), localID: row.localID(3), objectID: row.text(4)),
      reason: Self.reason(row.text(5)),
      lost: try StoredJSON.columnNote(Fields.self, from: row.text(6)),
      kept: try StoredJSON.columnNote(Fields.self, from: row.text(7)),
      isWholeRecord: row.integer(8) != 0, acl: row.value(9, as: .object),
      isRestored: row.integer(10) != 0, restoredRow: restoredRow(row.integer(10)),
      isSeen: row.integer(11) != 0,
      run: row.isNull(12) ? nil : row.integer(12))
  }

  /// The column holds 0 for none, the row's number below zero, and 1 where an older version of Ferry restored.
  private func restoredRow(_ column: Int64) -> LocalID? {
    column < 0 ? LocalID(rawValue: -column) : nil
  }

  private static func reason(_ name: String) -> ConflictRecord.Reason {
    ConflictRecord.Reason(rawValue: name) ?? .removed
  }

  func quarantine(of className: String?) throws(StoreError) -> [QuarantinedRecord] {
    guard let className else {
      return try statement("\(Self.selectQuarantine) ORDER BY class, objectId").rows(quarantined)
    }
    return try statement("\(Self.selectQuarantine) WHERE class = ? ORDER BY objectId")
      .bound(className).rows(quarantined)
  }

  func quarantined(_ className: String, objectIDs: [String]) throws(StoreError)
    -> [QuarantinedRecord]
  {
    if let list = ManyKeys.jsonList(objectIDs) {
      return try statement(
        "\(Self.selectQuarantine) WHERE class = ? AND objectId IN (SELECT value FROM json_each(?))"
      ).bound(className, list).rows(quarantined)
    }
    let statement = try statement("\(Self.selectQuarantine) WHERE class = ? AND objectId = ?")
    var records: [QuarantinedRecord] = []
    for objectID in objectIDs {
      records += try statement.bound(className, objectID).rows(quarantined)
    }
    return records
  }

  private static let selectQuarantine =
    "SELECT class, objectId, version, createdAt, raw, reason, schemaFingerprint FROM ferry_quarantine"

  private func quarantined(_ row: SQLiteStatement) -> QuarantinedRecord {
    QuarantinedRecord(
      className: row.text(0), objectID: row.text(1),
      version: row.optionalText(2).map(ServerVersion.init), createdAt: row.timestamp(3),
      raw: row.text(4), reason: row.text(5), schemaFingerprint: row.text(6))
  }
}

extension OutboxSelection {
  /// The condition of a query, after others; an entry that is no JSON is read, and found damaged.
  fileprivate var condition: String {
    switch self {
    case .all: ""
    case .blocked: " AND state = 'blocked'"
    case .confirming: " AND state = 'confirming'"
    case .touched:
      " AND (state <> 'ready' OR iif(json_valid(entry), json_array_length(entry, '$.attempts') > 0"
        + " OR json_extract(entry, '$.failures.count') > 0, 1))"
    }
  }
}
