// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning

/// Everything that an in-memory store holds, as a value: a transaction changes a copy, and keeps or
/// drops it.
struct InMemoryState: Sendable {
  /// The rows of a class, and the owner of each object id.
  struct Table: Sendable {
    var rows = PagedDictionary<LocalID, Record>()
    var localIDs = PagedDictionary<String, LocalID>()
    /// The local ids of removed rows, by their object ids.
    var formerIDs = PagedDictionary<String, LocalID>()
    /// The server's values of records, as the app knew them when it deleted their rows, and where history was then.
    var lastKnown: [String: (fields: Fields, token: Int64)] = [:]
    var lastLocalID = LocalID()
  }

  /// A change in history, with the values that it destroyed, unless they were the engine's to remove.
  struct Logged: Sendable {
    var change: Change
    var destroyed: LogRow.Kind?
    var time: Timestamp
  }

  let schema: Schema
  let now: @Sendable () -> Timestamp
  var tables: [String: Table]
  var history = PagedDictionary<Int64, Logged>()
  /// The notes of transactions, by the tokens of their last changes.
  var notes = PagedDictionary<Int64, TransactionNote>()
  var lastToken: Int64 = 0
  var engineCommits: Int64 = 0
  var prunedThrough: Int64 = 0
  var foldedThrough = HistoryToken.start
  var readers: [String: HistoryToken] = [:]
  var outbox = PagedDictionary<RecordKey, OutboxEntry>()
  /// Rows and entries that may contain a pointer to a minted id; some no longer do.
  var references = PagedDictionary<String, Set<RecordKey>>()
  var aliases: [String: String] = [:]
  /// The ids of rows that the app took back before the server had them, by class.
  var withdrawn: [String: Set<String>] = [:]
  var conflicts: [ConflictRecord] = []
  /// The number of the newest conflict record, also of one that has left.
  var lastConflict: Int64 = 0
  var quarantine: [String: [String: QuarantinedRecord]] = [:]
  var bookkeeping: [String: String] = [:]

  init(schema: Schema, now: @escaping @Sendable () -> Timestamp) {
    self.schema = schema
    self.now = now
    tables = Dictionary(
      schema.entities.map { ($0.name, Table()) }, uniquingKeysWith: { first, _ in first })
  }

  func table(_ className: String) throws(StoreError) -> Table {
    _ = try schema.registered(className)
    return tables[className] ?? Table()
  }

  // MARK: - Rows

  /// Inserts a row, under a new local id unless it has one.
  mutating func insert(_ record: Record) throws(StoreError) -> LocalID {
    try checkIsFree(record.objectID, in: record.className, for: record.localID)
    var record = record
    if !record.localID.isAssigned {
      record.localID.rawValue = try table(record.className).lastLocalID.rawValue + 1
    }
    let last = max(record.localID, try table(record.className).lastLocalID)
    tables[record.className]?.lastLocalID = last
    keep(record)
    return record.localID
  }

  /// Overwrites a row; returns the old values of the fields that changed, and the old access list if it changed.
  mutating func replace(_ old: Record, by record: Record) throws(StoreError) -> Fields {
    if old.objectID != record.objectID {
      try checkIsFree(record.objectID, in: record.className, for: record.localID)
      tables[old.className]?.localIDs[old.objectID] = nil
    }
    keep(record)
    var lost = Fields()
    for name in old.fields.difference(from: record.fields) { lost[name] = old[name] }
    if old.acl != record.acl {
      // Before a download has brought the row, nobody knows the server's list.
      lost[Fields.accessList] =
        old.version == nil ? old.acl.comparableAccessList : old.acl.servedAccessList
    }
    return lost
  }

  mutating func delete(_ record: Record) {
    tables[record.className]?.rows[record.localID] = nil
    tables[record.className]?.localIDs[record.objectID] = nil
  }

  private mutating func keep(_ record: Record) {
    var record = record
    record.fields.values = record.fields.values.filter { !$1.isNull }
    tables[record.className]?.rows[record.localID] = record
    tables[record.className]?.localIDs[record.objectID] = record.localID
    noteReferences(record.fields, of: record.key)
  }

  mutating func noteReferences(_ fields: Fields, of key: RecordKey) {
    for id in fields.mintedPointerIDs { references[id, default: []].insert(key) }
  }

  private func checkIsFree(_ objectID: String, in className: String, for localID: LocalID)
    throws(StoreError)
  {
    guard let owner = try table(className).localIDs[objectID], owner != localID else { return }
    throw StoreError(
      .duplicateObjectID,
      "The class \(className) has a row with the object id \(objectID) already, so nothing was "
        + "written. Update that row, or choose another id.")
  }

  // MARK: - History

  mutating func log(
    _ kind: Change.Kind, _ className: String, _ localIDs: ClosedRange<LocalID>, author: Author,
    fields: Set<String> = [], destroyed: LogRow.Kind? = nil
  ) {
    lastToken += 1
    let change = Change(
      token: HistoryToken(rawValue: lastToken), className: className, localIDs: localIDs,
      kind: kind, fields: fields, author: author)
    history[lastToken] = Logged(
      change: change, destroyed: destroyed, time: now())
  }

  /// Notes the transaction that wrote the changes behind a token, if there are any.
  mutating func noteTransaction(after start: Int64, by author: Author, _ step: TransactionNote.Step)
  {
    guard lastToken > start else { return }
    let (first, last) = (HistoryToken(rawValue: start + 1), HistoryToken(rawValue: lastToken))
    notes[lastToken] = TransactionNote(
      tokens: first...last, time: now(), author: author, step: step)
  }

  /// Logs inserted rows; rows with consecutive local ids become one change.
  mutating func logInsertions(_ localIDs: [LocalID], of className: String) {
    var run: ClosedRange<LocalID>?
    for localID in localIDs {
      if let open = run, open.upperBound.rawValue + 1 == localID.rawValue {
        run = open.lowerBound...localID
      } else {
        if let run { log(.insert, className, run, author: .sync) }
        run = localID...localID
      }
    }
    if let run { log(.insert, className, run, author: .sync) }
  }

  /// The newest change from before a time.
  func lastToken(before time: Timestamp) -> HistoryToken {
    var low = prunedThrough
    var high = lastToken
    while low < high {
      let middle = (low + high + 1) / 2
      if let logged = history[middle], logged.time >= time {
        high = middle - 1
      } else {
        low = middle
      }
    }
    return HistoryToken(rawValue: low)
  }

  /// History after a token, oldest first.
  func logged(after token: HistoryToken) -> some Sequence<Logged> {
    let first = max(token.rawValue, prunedThrough) + 1
    return (first..<max(first, lastToken + 1)).lazy.compactMap { history[$0] }
  }
}
