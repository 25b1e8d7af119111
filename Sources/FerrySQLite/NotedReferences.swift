// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import FerryStore

/// The notes that the rows of some outbox entries point to minted ids; replacing an id finds the rows by them.
struct NotedReferences {
  private let transaction: SQLiteSyncTransaction
  /// The classes in which one of the rows may have notes; most rows point to no minted id.
  private var classNames: Set<String> = []
  /// The pointers of the rows that may point to a minted id.
  private var pointers: [RecordKey: Fields] = [:]

  /// Reads the pointers of the rows of entries that are about to be written.
  init(replacingThoseOf entries: [OutboxEntry], in transaction: SQLiteSyncTransaction)
    throws(StoreError)
  {
    try self.init(of: entries.map(\.key), in: transaction)
    for (className, entries) in Dictionary(grouping: entries, by: \.className) {
      try readPointers(of: className, entries.map(\.localID))
    }
  }

  private mutating func readPointers(
    of className: String, _ localIDs: [LocalID]
  ) throws(StoreError) {
    let table = try transaction.layout.table(className)
    guard let question = table.selectPointers else { return }
    let rows: [(LocalID, Fields)]
    if let range = ManyKeys.denseRange(localIDs) {
      rows = try transaction.statement("\(question) AND localId BETWEEN ? AND ?")
        .bound(range.lowerBound, range.upperBound).rows { ($0.localID(0), table.pointers(at: $0)) }
    } else {
      rows = try transaction.each(localIDs, "\(question) AND localId = ?") {
        ($0.localID(0), table.pointers(at: $0))
      }
    }
    for (localID, fields) in rows {
      pointers[RecordKey(className: className, localID: localID)] = fields
    }
  }

  init(of keys: [RecordKey], in transaction: SQLiteSyncTransaction) throws(StoreError) {
    self.transaction = transaction
    var ranges: [String: ClosedRange<LocalID>] = [:]
    for key in keys {
      let range = ranges[key.className] ?? key.localID...key.localID
      ranges[key.className] =
        min(range.lowerBound, key.localID)...max(range.upperBound, key.localID)
    }
    let question = try transaction.statement(
      "SELECT 1 FROM ferry_reference WHERE class = ? AND localId BETWEEN ? AND ? LIMIT 1")
    for (className, range) in ranges {
      let isNoted = try question.bound(className, range.lowerBound, range.upperBound)
        .first { _ in true }
      if isNoted == true { classNames.insert(className) }
    }
  }

  /// Notes the minted ids to which the row of an entry and the values in the entry point.
  func replace(of entry: OutboxEntry) throws(StoreError) {
    try remove(of: entry.key)
    var ids = entry.base.mintedPointerIDs.union(entry.lastKnown.mintedPointerIDs)
    for attempt in entry.attempts { ids.formUnion(attempt.sent.mintedPointerIDs) }
    if let pointers = pointers[entry.key] { ids.formUnion(pointers.mintedPointerIDs) }
    for id in ids {
      try transaction.statement(
        "INSERT OR IGNORE INTO ferry_reference (objectId, class, localId) VALUES (?, ?, ?)"
      ).bound(id, entry.className, entry.localID).run()
    }
  }

  func remove(of key: RecordKey) throws(StoreError) {
    guard classNames.contains(key.className) else { return }
    try transaction.statement("DELETE FROM ferry_reference WHERE class = ? AND localId = ?")
      .bound(key.className, key.localID).run()
  }
}
