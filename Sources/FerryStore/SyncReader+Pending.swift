// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
package import FerryPlanning

/// How many edits are folded at a time.
package let foldingBatchSize = 500

// The entries as folding would leave them now, without writing anything. However many there are, a
// page of them is in memory at a time.
extension SyncReader {
  /// Calls the closure with each unsent change, nearly in the order of their keys.
  package func forEachPendingEntry(
    of className: String?, batchSize: Int = foldingBatchSize,
    _ body: (OutboxEntry) throws(StoreError) -> Void
  ) throws(StoreError) {
    let names = schema.entities.map(\.name).filter { className == nil || $0 == className }.sorted()
    let edits = try names.map { name throws(StoreError) in try UnfoldedEdits(of: name, in: self) }
    var stored = StayingEntries(self, of: className, edits)
    for edits in edits {
      try edits.forEachBatch(size: batchSize) { batch throws(StoreError) in
        let outcome = batch.outcome
        let replaced = Set(
          outcome.replaced.map { RecordKey(className: edits.className, localID: $0) })
        for entry in try alive(outcome.entries).sorted(by: { $0.key < $1.key }) {
          try stored.forEach(through: entry.key, except: replaced, body)
          try body(entry)
        }
        if let last = batch.keys.max() {
          try stored.forEach(through: last, except: replaced, body)
        }
      }
    }
    try stored.forEach(through: nil, except: [], body)
  }

  /// The entries without deletes of records that another batch brings back.
  ///
  /// Such a delete has lost its local id to another record.
  private func alive(_ entries: [OutboxEntry]) throws(StoreError) -> [OutboxEntry] {
    let homeless = entries.filter { $0.kind == .delete && $0.localID == LocalID() }
    guard let className = homeless.first?.className else { return entries }
    let back = try versions(of: className, objectIDs: homeless.map(\.objectID))
    return entries.filter { !($0.localID == LocalID() && back[$0.objectID] != nil) }
  }

  /// Calls the closure with each entry that folding has made, in the order of their keys.
  ///
  /// The closure may put or remove the entry that it is given.
  package func forEachOutboxEntry(
    _ selection: OutboxSelection = .all, _ body: (OutboxEntry) throws(StoreError) -> Void
  ) throws(StoreError) {
    var last: RecordKey?
    while true {
      let page = try outbox(selection, of: nil, after: last, limit: StayingEntries.pageSize)
      guard let newest = page.last else { return }
      last = newest.key
      for entry in page { try body(entry) }
    }
  }

  /// All unsent changes, in the order of their keys.
  package func pendingEntries(
    of className: String?, batchSize: Int = foldingBatchSize
  ) throws(StoreError) -> [OutboxEntry] {
    var entries: [OutboxEntry] = []
    try forEachPendingEntry(of: className, batchSize: batchSize) { entries.append($0) }
    return entries.sorted { $0.key < $1.key }
  }

  /// The unsent change of one record; nil when there is none.
  package func pendingEntry(of key: RecordKey) throws(StoreError) -> OutboxEntry? {
    let stored = try outboxEntries(of: key.className, localIDs: [key.localID])
    guard schema.entity(key.className) != nil else { return stored.first }
    let edits = try UnfoldedEdits(of: key.className, in: self)
    var isEdited = false
    var entry: OutboxEntry?
    try edits.forEachBatch(.row(key.localID), size: foldingBatchSize) { batch in
      let outcome = batch.outcome
      guard outcome.replaced.contains(key.localID) else { return }
      isEdited = true
      entry = outcome.entries.first { $0.key == key }
    }
    return isEdited ? entry : try edits.staying(stored).first
  }

  /// The number of unsent changes by class, without classes that have none.
  ///
  /// The store counts the entries that folding has made and the rows that are new. Only other edits that are not folded
  /// yet are read.
  package func pendingCounts() throws(StoreError) -> [String: Int] {
    var counts = try unsentOutboxCounts()
    let start = try foldedThrough()
    for className in try editedClasses(after: start) {
      counts[className, default: 0] += try newRowCount(of: className, after: start)
      let edits = try UnfoldedEdits(of: className, in: self)
      try edits.forEachBatch(.byRowButNew, size: foldingBatchSize) { batch throws(StoreError) in
        let outcome = batch.outcome
        let stored = try outboxEntries(of: className, localIDs: outcome.replaced.sorted())
        counts[className, default: 0] +=
          outcome.entries.count(where: \.isUnsent) - stored.count(where: \.isUnsent)
      }
    }
    return counts.filter { $0.value > 0 }
  }

  /// Whether a class has unsent changes, or edits that may turn out to be such.
  package func hasPendingEntries(of className: String) throws(StoreError) -> Bool {
    guard try outbox(of: className, after: nil, limit: 1).isEmpty else { return true }
    var isEdited = false
    try forEachLogPlace(of: className, after: foldedThrough(), .byRow) { _ in isEdited = true }
    return isEdited
  }
}

extension ChangeFolding.Outcome {
  /// The rows whose stored entries folding changes or removes.
  var replaced: Set<LocalID> { Set(removed.map(\.localID) + entries.map(\.localID)) }
}

/// The stored entries, page by page, but for those that folding moves.
private struct StayingEntries {
  static let pageSize = 500

  private let reader: any SyncReader
  private let className: String?
  private let edits: [String: UnfoldedEdits]
  private var page: ArraySlice<OutboxEntry> = []
  private var last: RecordKey?
  private var isOver = false

  init(_ reader: any SyncReader, of className: String?, _ edits: [UnfoldedEdits]) {
    self.reader = reader
    self.className = className
    self.edits = Dictionary(edits.map { ($0.className, $0) }, uniquingKeysWith: { $1 })
  }

  /// Calls the closure with the next entries, up to a row.
  ///
  /// It leaves out the rows whose entries folding has made anew.
  mutating func forEach(
    through key: RecordKey?, except edited: Set<RecordKey>,
    _ body: (OutboxEntry) throws(StoreError) -> Void
  ) throws(StoreError) {
    while true {
      while page.isEmpty, !isOver { try turn() }
      guard let first = page.first, key.map({ first.key <= $0 }) ?? true else { return }
      page.removeFirst()
      if !edited.contains(first.key) { try body(first) }
    }
  }

  private mutating func turn() throws(StoreError) {
    let entries = try reader.outbox(of: className, after: last, limit: Self.pageSize)
    guard let newest = entries.last else { return isOver = true }
    last = newest.key
    for (className, entries) in Dictionary(grouping: entries, by: \.className)
      .sorted(by: { $0.key < $1.key })
    {
      let staying = try edits[className]?.staying(entries)
      page += staying ?? entries
    }
  }
}
