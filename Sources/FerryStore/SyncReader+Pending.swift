// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
package import FerryPlanning

/// How many edits are folded at a time.
package let foldingBatchSize = 1000

// The entries as folding would leave them now, without writing anything. However many there are, a
// page of them is in memory at a time.
extension SyncReader {
  /// Calls the closure with each unsent change, nearly in the order of their keys.
  package func forEachPendingEntry(
    of className: String?, batchSize: Int = foldingBatchSize,
    _ body: (OutboxEntry) throws -> Void
  ) throws {
    let folding = try unfoldedBatches(of: className, size: batchSize)
    var stored = OutboxPages(self, of: className, unlessFoldedIn: folding)
    for batch in folding.batches {
      let entries = try translatedFolding(of: log(at: batch.map(\.token))).outcome.entries
      for entry in entries.sorted(by: { $0.key < $1.key }) {
        while let earlier = try stored.next(before: entry.key) { try body(earlier) }
        try body(entry)
      }
    }
    while let entry = try stored.next(before: nil) { try body(entry) }
  }

  /// Calls the closure with each entry that folding has made, in the order of their keys.
  ///
  /// The closure may put or remove the entry that it is given.
  package func forEachOutboxEntry(_ body: (OutboxEntry) throws -> Void) throws {
    var last: RecordKey?
    while true {
      let page = try outbox(of: nil, after: last, limit: OutboxPages.size)
      guard let newest = page.last else { return }
      last = newest.key
      for entry in page { try body(entry) }
    }
  }

  /// All unsent changes, in the order of their keys.
  package func pendingEntries(
    of className: String?, batchSize: Int = foldingBatchSize
  ) throws -> [OutboxEntry] {
    var entries: [OutboxEntry] = []
    try forEachPendingEntry(of: className, batchSize: batchSize) { entries.append($0) }
    return entries.sorted { $0.key < $1.key }
  }

  /// The unsent change of one record; nil when there is none.
  package func pendingEntry(of key: RecordKey) throws -> OutboxEntry? {
    let folding = try unfoldedBatches(of: key.className, size: 1)
    if let batch = folding.batches.first(where: { $0.contains { $0.key == key } }) {
      return try translatedFolding(of: log(at: batch.map(\.token))).outcome.entries
        .first { $0.key == key }
    }
    let stored = try outboxEntries(of: key.className, localIDs: [key.localID])
    return try remaining(stored, of: key.className, after: folding).first
  }

  /// Whether a class has unsent changes, or edits that may turn out to be such.
  package func hasPendingEntries(of className: String) throws -> Bool {
    try !outbox(of: className, after: nil, limit: 1).isEmpty
      || logPlaces(after: foldedThrough()).contains { $0.className == className }
  }

  /// The unfolded edits in batches.
  func unfoldedBatches(of className: String?, size: Int) throws -> FoldingBatches {
    let places = try logPlaces(after: foldedThrough())
      .filter { className == nil || $0.className == className }
    return try FoldingBatches(places, size: size) { className, objectIDs in
      try versions(of: className, objectIDs: objectIDs).mapValues(\.localID)
    }
  }

  /// Those of a class's stored entries that folding leaves as they are.
  ///
  /// It makes others of entries whose row was edited, and moves the entry of a record that the app
  /// inserted again under another local id.
  fileprivate func remaining(
    _ entries: [OutboxEntry], of className: String, after folding: FoldingBatches
  ) throws -> [OutboxEntry] {
    guard !folding.keys.isEmpty, schema.entity(className) != nil else { return entries }
    let untouched = entries.filter { !folding.keys.contains($0.key) }
    let owners = try versions(of: className, objectIDs: untouched.map(\.objectID))
    return untouched.filter { entry in
      let owner = owners[entry.objectID]?.localID ?? entry.localID
      return owner == entry.localID && !folding.isMoved(entry)
    }
  }
}

/// The stored entries, page by page, but for those that folding changes.
private struct OutboxPages {
  static let size = 500

  private let reader: any SyncReader
  private let className: String?
  private let folding: FoldingBatches
  private var page: ArraySlice<OutboxEntry> = []
  private var last: RecordKey?
  private var isOver = false

  init(_ reader: any SyncReader, of className: String?, unlessFoldedIn folding: FoldingBatches) {
    self.reader = reader
    self.className = className
    self.folding = folding
  }

  /// The next entry whose key is before another one; nil when there is none.
  mutating func next(before key: RecordKey?) throws -> OutboxEntry? {
    while page.isEmpty, !isOver { try turn() }
    guard let first = page.first, key.map({ first.key < $0 }) ?? true else { return nil }
    return page.removeFirst()
  }

  private mutating func turn() throws {
    let entries = try reader.outbox(of: className, after: last, limit: Self.size)
    guard let newest = entries.last else { return isOver = true }
    last = newest.key
    for (className, entries) in Dictionary(grouping: entries, by: \.className)
      .sorted(by: { $0.key < $1.key })
    {
      page += try reader.remaining(entries, of: className, after: folding)
    }
  }
}
