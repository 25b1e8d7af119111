// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning

/// Rows of one class and the log that capture would write about their edits, as plain values.
struct FoldingWorld {
  private(set) var rows: [LocalID: Record] = [:]
  private(set) var log: [LogRow] = []
  private(set) var entries: [OutboxEntry] = []
  private(set) var foldedThrough = 0
  private var lastLocalID: Int64 = 0
  /// The last local id that no row had; the rows of all copies of a world have the same local ids.
  private var lastOtherLocalID: Int64 = 1000

  static let createdAt = Timestamp(milliseconds: 1_700_000_000_000)
  static let version = ServerVersion(rawValue: "2026-01-01T00:00:00.000Z")
  /// The stamp of an answer.
  static let laterVersion = ServerVersion(rawValue: "2026-02-01T00:00:00.000Z")
  static let maximumRequestDuration = Duration.seconds(120)

  static let accessList: Value = ["*": ["read": true]]

  /// Adds a row that the server has too, with nothing unsent.
  mutating func synced(
    _ objectID: String, _ fields: Fields, acl: Value = Self.accessList
  ) -> LocalID {
    lastLocalID += 1
    let id = LocalID(rawValue: lastLocalID)
    rows[id] = Record(
      className: "Game", localID: id, objectID: objectID, fields: fields,
      acl: acl, createdAt: Self.createdAt, version: Self.version)
    return id
  }

  mutating func insert(_ objectID: String, _ fields: Fields, at localID: LocalID? = nil) -> LocalID
  {
    lastLocalID = max(lastLocalID + 1, localID?.rawValue ?? 0)
    let id = localID ?? LocalID(rawValue: lastLocalID)
    rows[id] = Record(className: "Game", localID: id, objectID: objectID, fields: fields)
    append(id, .insert)
    return id
  }

  mutating func update(_ id: LocalID, _ fields: Fields) {
    guard var row = rows[id] else { return }
    var old = Fields()
    for (name, value) in fields.values where row[name] != value { old[name] = row[name] }
    guard !old.isEmpty else { return }
    row.fields = row.fields.merging(fields).withoutNulls
    rows[id] = row
    append(id, .update(old: old))
  }

  mutating func delete(_ id: LocalID) {
    guard let row = rows.removeValue(forKey: id) else { return }
    append(id, .delete(old: row))
  }

  /// Replaces a row like REPLACE INTO: by object id under a new local id, or by both ids.
  mutating func replace(
    _ old: LocalID, with fields: Fields, keepingLocalID: Bool = false
  ) -> LocalID {
    guard let objectID = rows[old]?.objectID else { return old }
    delete(old)
    return insert(objectID, fields, at: keepingLocalID ? old : nil)
  }

  private mutating func append(_ id: LocalID, _ kind: LogRow.Kind) {
    let token = HistoryToken(rawValue: Int64(log.count + 1))
    log.append(LogRow(token: token, className: "Game", localID: id, kind: kind))
  }

  /// Folds everything since the last time, and applies the result as a store would.
  mutating func fold() {
    var outcome = outcome
    for index in outcome.entries.indices where !outcome.entries[index].localID.isAssigned {
      lastOtherLocalID += 1
      outcome.entries[index] = outcome.entries[index].moved(to: LocalID(rawValue: lastOtherLocalID))
    }
    let replaced = Set(outcome.removed + outcome.entries.map(\.key))
    entries = entries.filter { !replaced.contains($0.key) } + outcome.entries
    entries.sort { $0.key < $1.key }
    for known in outcome.reinserted {
      rows[known.localID]?.createdAt = known.createdAt
      rows[known.localID]?.version = known.version
      rows[known.localID]?.acl = known.acl
    }
    foldedThrough = log.count
  }

  var outcome: ChangeFolding.Outcome {
    let fresh = Array(log[foldedThrough...])
    let ids = Set(fresh.map(\.localID))
    return ChangeFolding.fold(
      fresh, into: entries,
      records: rows.values.filter { ids.contains($0.localID) }.sorted { $0.key < $1.key })
  }

  subscript(_ id: LocalID) -> OutboxEntry? {
    get { entries.first { $0.localID == id } }
    set {
      entries.removeAll { $0.localID == id }
      if let newValue { entries.append(newValue) }
    }
  }

  /// Begins an attempt to send the row's present values.
  mutating func send(_ id: LocalID, clientKey: String? = nil, at time: Int64 = 0) {
    guard var entry = self[id] else { return }
    let names = entry.changed
    var sent = Fields()
    for name in names { sent[name] = rows[id]?[name] ?? .null }
    entry.begin(
      Attempt(
        kind: entry.kind, sent: sent, token: entry.foldedThrough,
        startedAt: Timestamp(milliseconds: time)),
      clientKey: clientKey ?? entry.clientKey)
    self[id] = entry
  }

  /// Applies a transition to an entry; removes the entry if the transition says so.
  mutating func change(_ id: LocalID, _ transition: (inout OutboxEntry) -> Bool) {
    guard var entry = self[id] else { return }
    self[id] = transition(&entry) ? nil : entry
    // A store does this when the server has created a row.
    if entry.kind == .update, let createdAt = entry.createdAt { rows[id]?.createdAt = createdAt }
  }

  /// Applies a transition that cannot end the entry.
  mutating func change(_ id: LocalID, _ transition: (inout OutboxEntry) -> Void) {
    guard var entry = self[id] else { return }
    transition(&entry)
    self[id] = entry
  }
}
