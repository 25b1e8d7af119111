// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import FerryStore

/// A reader that passes everything on to another one.
protocol ForwardingReader: SyncReader {
  var reader: any SyncReader { get }
}

extension ForwardingReader {
  var schema: Schema { reader.schema }

  func record(of className: String, localID: LocalID) throws(StoreError) -> Record? {
    try reader.record(of: className, localID: localID)
  }
  func record(of className: String, objectID: String) throws(StoreError) -> Record? {
    try reader.record(of: className, objectID: objectID)
  }
  func records(
    of className: String, where condition: Condition?, orderedBy order: [SortOrder], limit: Int?,
    offset: Int
  ) throws(StoreError) -> [Record] {
    try reader.records(
      of: className, where: condition, orderedBy: order, limit: limit, offset: offset)
  }
  func count(of className: String, where condition: Condition?) throws(StoreError) -> Int {
    try reader.count(of: className, where: condition)
  }
  func forEachRow(
    of query: Query, reading fields: [String], _ body: ([Value]) throws(StoreError) -> Void
  ) throws(StoreError) {
    try reader.forEachRow(of: query, reading: fields, body)
  }
  func explain(_ query: Query) throws(StoreError) -> QueryPlan { try reader.explain(query) }
  func mark() throws(StoreError) -> StoreMark { try reader.mark() }
  var restorations: Int { reader.restorations }
  func lastToken() throws(StoreError) -> HistoryToken { try reader.lastToken() }
  func forEachLogged(
    after token: HistoryToken, withValues: Bool,
    _ body: (LoggedChange) throws(StoreError) -> Bool
  ) throws(StoreError) {
    try reader.forEachLogged(after: token, withValues: withValues, body)
  }
  func transactionNotes(after token: HistoryToken, limit: Int) throws(StoreError)
    -> [TransactionNote]
  {
    try reader.transactionNotes(after: token, limit: limit)
  }
  func historyExtent() throws(StoreError) -> HistoryExtent { try reader.historyExtent() }
  func historyByteCount() throws(StoreError) -> Int64? { try reader.historyByteCount() }
  func newestNote(
    where isWanted: (TransactionNote) -> Bool
  ) throws(StoreError) -> TransactionNote? {
    try reader.newestNote(where: isWanted)
  }
  func token(ofReader name: String) throws(StoreError) -> HistoryToken {
    try reader.token(ofReader: name)
  }
  func conflicts(
    of className: String?, before id: Int64?, limit: Int?
  ) throws(StoreError) -> [ConflictRecord] {
    try reader.conflicts(of: className, before: id, limit: limit)
  }
  func conflicts(ofRun run: Int64) throws(StoreError) -> [ConflictRecord] {
    try reader.conflicts(ofRun: run)
  }
  func unseenConflictCounts() throws(StoreError) -> [String: Int] {
    try reader.unseenConflictCounts()
  }
  func conflict(_ id: Int64) throws(StoreError) -> ConflictRecord? { try reader.conflict(id) }
  func conflictCounts(after id: Int64) throws(StoreError) -> [String: [ConflictRecord.Reason: Int]]
  {
    try reader.conflictCounts(after: id)
  }
  func quarantine(of className: String?) throws(StoreError) -> [QuarantinedRecord] {
    try reader.quarantine(of: className)
  }

  func rowsOfOtherVersions(
    in batch: RowBatch, of className: String
  ) throws(StoreError) -> [Int] {
    try reader.rowsOfOtherVersions(in: batch, of: className)
  }
  func entangledRows(
    among rows: [Int], of batch: RowBatch, in className: String
  ) throws(StoreError) -> [Int] {
    try reader.entangledRows(among: rows, of: batch, in: className)
  }
  func editedClasses(after token: HistoryToken) throws(StoreError) -> Set<String> {
    try reader.editedClasses(after: token)
  }
  func newRowCount(of className: String, after token: HistoryToken) throws(StoreError) -> Int {
    try reader.newRowCount(of: className, after: token)
  }

  func forEachLogPlace(
    of className: String, after token: HistoryToken, _ selection: LogSelection,
    _ body: (LogPlace) throws(StoreError) -> Void
  ) throws(StoreError) {
    try reader.forEachLogPlace(of: className, after: token, selection, body)
  }
  func log(at tokens: [HistoryToken]) throws(StoreError) -> [LogRow] { try reader.log(at: tokens) }
  func deletedFields(
    of className: String, objectIDs: [String]
  ) throws(StoreError) -> [String: Fields] {
    try reader.deletedFields(of: className, objectIDs: objectIDs)
  }
  func records(of className: String, localIDs: [LocalID]) throws(StoreError) -> [Record] {
    try reader.records(of: className, localIDs: localIDs)
  }
  func records(of className: String, objectIDs: [String]) throws(StoreError) -> [Record] {
    try reader.records(of: className, objectIDs: objectIDs)
  }
  func versions(of className: String, objectIDs: [String]) throws(StoreError) -> [String:
    StoredVersion]
  {
    try reader.versions(of: className, objectIDs: objectIDs)
  }
  func foldedThrough() throws(StoreError) -> HistoryToken { try reader.foldedThrough() }
  func quarantined(_ className: String, objectIDs: [String]) throws(StoreError)
    -> [QuarantinedRecord]
  {
    try reader.quarantined(className, objectIDs: objectIDs)
  }
  func unsentRows(ofUnregistered className: String, among objectIDs: [String]) throws(StoreError)
    -> [String:
    LocalID]
  {
    try reader.unsentRows(ofUnregistered: className, among: objectIDs)
  }
  func unfoldedRowCounts() throws(StoreError) -> UnfoldedRowCounts {
    try reader.unfoldedRowCounts()
  }
  func undeclaredFields(of className: String, localIDs: [LocalID]) throws(StoreError)
    -> [LocalID: UndeclaredFields]
  {
    try reader.undeclaredFields(of: className, localIDs: localIDs)
  }
  func undeclaredEdits(of className: String) throws(StoreError) -> [LocalID: Set<String>] {
    try reader.undeclaredEdits(of: className)
  }
  func aliases(of objectIDs: [String]) throws(StoreError) -> [String: String] {
    try reader.aliases(of: objectIDs)
  }
  var decodedNotes: DecodedNotes? { reader.decodedNotes }
  func foreignTriggers(of className: String?) throws(StoreError) -> [String] {
    try reader.foreignTriggers(of: className)
  }
  func bookkeeping(_ key: String) throws(StoreError) -> String? { try reader.bookkeeping(key) }
  func acknowledgedCount(of className: String) throws(StoreError) -> Int {
    try reader.acknowledgedCount(of: className)
  }
  func acknowledgedTimes(of className: String) throws(StoreError) -> CreationTimes {
    try reader.acknowledgedTimes(of: className)
  }
  func acknowledged(
    of className: String, created: [Range<Timestamp>], among localIDs: [ClosedRange<LocalID>]
  ) throws(StoreError) -> [[StoredVersion]] {
    try reader.acknowledged(of: className, created: created, among: localIDs)
  }
  func unacknowledged(
    of className: String, after localID: LocalID, limit: Int
  ) throws(StoreError) -> [StoredVersion] {
    try reader.unacknowledged(of: className, after: localID, limit: limit)
  }
  func acknowledged(
    of className: String, after localID: LocalID, limit: Int
  ) throws(StoreError) -> [StoredVersion] {
    try reader.acknowledged(of: className, after: localID, limit: limit)
  }
  func outbox(
    _ selection: OutboxSelection, of className: String?, after key: RecordKey?, limit: Int
  ) throws(StoreError) -> [OutboxEntry] {
    try reader.outbox(selection, of: className, after: key, limit: limit)
  }
  func outboxTotals(of kind: OutboxEntry.Kind) throws(StoreError) -> [String: OutboxTotal] {
    try reader.outboxTotals(of: kind)
  }

  func outboxCounts() throws(StoreError) -> [String: Int] { try reader.outboxCounts() }
  func unsentOutboxCounts() throws(StoreError) -> [String: Int] {
    try reader.unsentOutboxCounts()
  }
  func outboxEntries(of className: String, localIDs: [LocalID]) throws(StoreError) -> [OutboxEntry]
  {
    try reader.outboxEntries(of: className, localIDs: localIDs)
  }
  func outboxEntries(of className: String, objectIDs: [String]) throws(StoreError) -> [OutboxEntry]
  {
    try reader.outboxEntries(of: className, objectIDs: objectIDs)
  }
  func outboxEntries(of className: String, clientKeys: [String]) throws(StoreError) -> [OutboxEntry]
  {
    try reader.outboxEntries(of: className, clientKeys: clientKeys)
  }
  func formerIDs(of className: String, among objectIDs: [String]) throws(StoreError) -> Set<String>
  {
    try reader.formerIDs(of: className, among: objectIDs)
  }
  func lastKnownFields(
    of className: String, objectIDs: [String]
  ) throws(StoreError) -> [String: Fields] {
    try reader.lastKnownFields(of: className, objectIDs: objectIDs)
  }
  func withdrawnIDs(of className: String, among objectIDs: [String]) throws(StoreError) -> Set<
    String
  > {
    try reader.withdrawnIDs(of: className, among: objectIDs)
  }
}
