// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning

// The reads of the engine, in addition to those of an app.
extension InMemoryReader: SyncReader {
  var decodedNotes: DecodedNotes? { nil }

  /// This store has no file that a backup could take the place of.
  var restorations: Int { 0 }

  func mark() throws(StoreError) -> StoreMark {
    StoreMark(token: try lastToken(), engineCommits: try state.engineCommits)
  }

  func forEachLogged(
    after token: HistoryToken, withValues: Bool,
    _ body: (LoggedChange) throws(StoreError) -> Bool
  ) throws(StoreError) {
    let pruned = try state.prunedThrough
    guard token.rawValue >= pruned else { throw .historyPruned(through: pruned, asked: token) }
    for logged in try state.logged(after: token) {
      guard try body(LoggedChange(logged.change, destroyed: logged.destroyed)) else { return }
    }
  }

  func transactionNotes(after token: HistoryToken, limit: Int) throws(StoreError)
    -> [TransactionNote]
  {
    let notes = try state.notes
    let tokens = token.rawValue..<max(try state.lastToken, token.rawValue)
    return Array(tokens.lazy.compactMap { notes[$0 + 1] }.prefix(max(limit, 0)))
  }

  func newestNote(
    where isWanted: (TransactionNote) -> Bool
  ) throws(StoreError) -> TransactionNote? {
    let state = try state
    return (state.prunedThrough..<state.lastToken).reversed().lazy.compactMap {
      state.notes[$0 + 1]
    }
    .first { $0.tokens.lowerBound.rawValue > state.prunedThrough && isWanted($0) }
  }

  func historyExtent() throws(StoreError) -> HistoryExtent {
    let state = try state
    return HistoryExtent(
      prunedThrough: HistoryToken(rawValue: state.prunedThrough), last: try lastToken(),
      since: state.history[state.prunedThrough + 1]?.time, readers: state.readers)
  }

  func historyByteCount() -> Int64? { nil }

  func forEachLogPlace(
    of className: String, after token: HistoryToken, _ selection: LogSelection,
    _ body: (LogPlace) throws(StoreError) -> Void
  ) throws(StoreError) {
    let places = try logPlaces(of: className, after: token)
    func bodyByRow(_ places: [LogPlace]) throws(StoreError) {
      for place in places.sorted(by: { ($0.localID, $0.token) < ($1.localID, $1.token) }) {
        try body(place)
      }
    }
    switch selection {
    case .byRow: try bodyByRow(places)
    case .byRowButNew:
      let new = try newRows(of: className, places)
      try bodyByRow(places.filter { !new.contains($0.localID) })
    case .row(let localID):
      for place in places where place.localID == localID { try body(place) }
    case .removals:
      let removals = places.filter { $0.goneObjectID != nil }.sorted {
        ($0.goneObjectID ?? "", $0.token) < ($1.goneObjectID ?? "", $1.token)
      }
      for place in removals { try body(place) }
    }
  }

  func editedClasses(after token: HistoryToken) throws(StoreError) -> Set<String> {
    Set(try state.logged(after: token).filter { $0.change.author == .app }.map(\.change.className))
  }

  func newRowCount(of className: String, after token: HistoryToken) throws(StoreError) -> Int {
    try newRows(of: className, logPlaces(of: className, after: token)).count
  }

  /// The rows that the server does not know, that have no entry, and whose ids no removed row had.
  private func newRows(
    of className: String, _ places: [LogPlace]
  ) throws(StoreError) -> Set<LocalID> {
    let removals = places.filter { $0.goneObjectID != nil }
    let localIDs = Set(places.map(\.localID)).subtracting(removals.map(\.localID)).sorted()
    let rows = try records(of: className, localIDs: localIDs).filter { $0.createdAt == nil }
    let own = try outboxEntries(of: className, localIDs: localIDs)
    let others = try outboxEntries(of: className, objectIDs: rows.map(\.objectID))
    let ids = Set((own + others).map(\.objectID) + removals.compactMap(\.goneObjectID))
    let known = Set(own.map(\.localID))
    return Set(
      rows.filter { !known.contains($0.localID) && !ids.contains($0.objectID) }.map(\.localID))
  }

  private func logPlaces(of className: String, after token: HistoryToken) throws(StoreError)
    -> [LogPlace]
  {
    try state.logged(after: token).compactMap { logged in
      guard logged.change.className == className, logged.change.author == .app,
        let kind = logged.destroyed
      else { return nil }
      var gone: String?
      if case .delete(let old) = kind { gone = old.objectID }
      return LogPlace(
        token: logged.change.token, className: logged.change.className,
        localID: logged.change.localIDs.lowerBound, goneObjectID: gone)
    }
  }

  func log(at tokens: [HistoryToken]) throws(StoreError) -> [LogRow] {
    let history = try state.history
    return tokens.compactMap { token in
      guard let logged = history[token.rawValue], logged.change.author == .app,
        let kind = logged.destroyed
      else { return nil }
      return LogRow(
        token: token, className: logged.change.className,
        localID: logged.change.localIDs.lowerBound, kind: kind)
    }
  }

  /// Each program declares the fields of all entries: no other has the rows.
  func deletedFields(of className: String, objectIDs: [String]) -> [String: Fields] { [:] }

  func lastKnownFields(
    of className: String, objectIDs: [String]
  ) throws(StoreError) -> [String: Fields] {
    let known = try state.table(className).lastKnown
    return Dictionary(
      objectIDs.compactMap { id in known[id].map { (id, $0.fields) } },
      uniquingKeysWith: { first, _ in first })
  }

  func records(of className: String, localIDs: [LocalID]) throws(StoreError) -> [Record] {
    let table = try state.table(className)
    return localIDs.compactMap { table.rows[$0] }
  }

  func records(of className: String, objectIDs: [String]) throws(StoreError) -> [Record] {
    let table = try state.table(className)
    return objectIDs.compactMap { table.localIDs[$0].flatMap { table.rows[$0] } }
  }

  func versions(of className: String, objectIDs: [String]) throws(StoreError) -> [String:
    StoredVersion]
  {
    let found = try records(of: className, objectIDs: objectIDs).map { ($0.objectID, $0.stored) }
    return Dictionary(found, uniquingKeysWith: { first, _ in first })
  }

  // MARK: - Outbox

  func outbox(
    _ selection: OutboxSelection, of className: String?, after key: RecordKey?, limit: Int
  ) throws(StoreError) -> [OutboxEntry] {
    let keys = try state.outbox.keys.filter { candidate in
      (className == nil || candidate.className == className) && key.map { candidate > $0 } ?? true
    }
    let outbox = try state.outbox
    let entries = keys.sorted().lazy.compactMap { outbox[$0] }.filter(selection.contains)
    return Array(entries.prefix(max(limit, 0)))
  }

  func outboxTotals(of kind: OutboxEntry.Kind) throws(StoreError) -> [String: OutboxTotal] {
    try entries { $0.kind == kind }.reduce(into: [:]) { totals, entry in
      totals[entry.className, default: OutboxTotal(count: 0, last: entry.localID)].count += 1
      totals[entry.className]?.last = entry.localID
    }
  }

  func outboxCounts() throws(StoreError) -> [String: Int] {
    try entries { _ in true }.reduce(into: [:]) { $0[$1.className, default: 0] += 1 }
  }

  func unsentOutboxCounts() throws(StoreError) -> [String: Int] {
    try entries(\.isUnsent).reduce(into: [:]) { $0[$1.className, default: 0] += 1 }
  }

  func outboxEntries(of className: String, localIDs: [LocalID]) throws(StoreError) -> [OutboxEntry]
  {
    let outbox = try state.outbox
    return localIDs.compactMap { outbox[RecordKey(className: className, localID: $0)] }
  }

  func outboxEntries(of className: String, objectIDs: [String]) throws(StoreError) -> [OutboxEntry]
  {
    let ids = Set(objectIDs)
    return try entries { $0.className == className && ids.contains($0.objectID) }
  }

  func outboxEntries(of className: String, clientKeys: [String]) throws(StoreError) -> [OutboxEntry]
  {
    let keys = Set(clientKeys)
    return try entries { entry in
      entry.className == className && entry.clientKey.map(keys.contains) == true
    }
  }

  private func entries(_ isWanted: (OutboxEntry) -> Bool) throws(StoreError) -> [OutboxEntry] {
    try state.outbox.values.filter(isWanted).sorted { $0.key < $1.key }
  }

  func foldedThrough() throws(StoreError) -> HistoryToken { try state.foldedThrough }

  // MARK: - Bookkeeping

  func quarantined(_ className: String, objectIDs: [String]) throws(StoreError)
    -> [QuarantinedRecord]
  {
    let records = try state.quarantine[className] ?? [:]
    return objectIDs.compactMap { records[$0] }
  }

  func aliases(of objectIDs: [String]) throws(StoreError) -> [String: String] {
    let aliases = try state.aliases
    return Dictionary(
      objectIDs.compactMap { id in aliases[id].map { (id, $0) } },
      uniquingKeysWith: { first, _ in first })
  }

  func formerIDs(of className: String, among objectIDs: [String]) throws(StoreError) -> Set<String>
  {
    guard let former = try state.tables[className]?.formerIDs else { return [] }
    return Set(objectIDs.filter { former[$0] != nil })
  }

  func withdrawnIDs(of className: String, among objectIDs: [String]) throws(StoreError) -> Set<
    String
  > {
    try (state.withdrawn[className] ?? []).intersection(objectIDs)
  }

  // A store in memory has no other schema than the one that it was made with.
  func unsentRows(ofUnregistered className: String, among objectIDs: [String]) throws(StoreError)
    -> [String:
    LocalID]
  { [:] }

  func undeclaredFields(of className: String, localIDs: [LocalID]) throws(StoreError)
    -> [LocalID: UndeclaredFields]
  { [:] }

  func undeclaredEdits(of className: String) throws(StoreError) -> [LocalID: Set<String>] { [:] }

  func unfoldedRowCounts() throws(StoreError) -> UnfoldedRowCounts { UnfoldedRowCounts() }

  func bookkeeping(_ key: String) throws(StoreError) -> String? { try state.bookkeeping[key] }

  func foreignTriggers(of className: String?) throws(StoreError) -> [String] { [] }

  // MARK: - Counts and listings

  func acknowledgedCount(of className: String) throws(StoreError) -> Int {
    try acknowledged(of: className).count
  }

  func acknowledgedTimes(of className: String) throws(StoreError) -> CreationTimes {
    var rows = try acknowledged(of: className)[...]
    return CreationTimes {
      rows.popFirst().flatMap { row in row.createdAt.map { (row.localID, $0) } }
    }
  }

  func acknowledged(
    of className: String, created: [Range<Timestamp>], among localIDs: [ClosedRange<LocalID>]
  ) throws(StoreError) -> [[StoredVersion]] {
    let all = try acknowledged(of: className).filter { row in
      localIDs.contains { $0.contains(row.localID) }
    }
    return created.map { range in
      all.filter { $0.createdAt.map(range.contains) == true }
    }
  }

  func acknowledged(of className: String, after localID: LocalID, limit: Int) throws(StoreError)
    -> [StoredVersion]
  {
    let later = try acknowledged(of: className).filter { $0.localID > localID }
    return Array(later.prefix(max(limit, 0)))
  }

  func unacknowledged(of className: String, after localID: LocalID, limit: Int) throws(StoreError)
    -> [StoredVersion]
  {
    let later = try rows(of: className) { $0.createdAt == nil && $0.localID > localID }
    return Array(later.prefix(max(limit, 0)))
  }

  private func acknowledged(of className: String) throws(StoreError) -> [StoredVersion] {
    try rows(of: className) { $0.createdAt != nil }
  }

  private func rows(
    of className: String, where holds: (Record) -> Bool
  ) throws(StoreError) -> [StoredVersion] {
    try state.table(className).rows.values.filter(holds).map(\.stored)
      .sorted { $0.localID < $1.localID }
  }
}

extension Record {
  fileprivate var stored: StoredVersion {
    StoredVersion(localID: localID, objectID: objectID, createdAt: createdAt, version: version)
  }
}
