// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel
package import FerryPlanning

/// The reads of the engine, in addition to those of an app.
package protocol SyncReader: StoreReader {
  /// The mark of this view, by which a later one is known to have other rows or not.
  func mark() throws(StoreError) -> StoreMark
  /// How often the store has gone back to a backup since it was opened, as it knew when the view began.
  ///
  /// History after that may give tokens once more.
  var restorations: Int { get }
  /// Calls the closure with the changes of all authors after a token, oldest first, until it returns false.
  ///
  /// - Throws: `historyPruned` if the token is older than the history that is kept.
  func forEachLogged(
    after token: HistoryToken, withValues: Bool,
    _ body: (LoggedChange) throws(StoreError) -> Bool) throws(StoreError)
  /// The notes of transactions that ended after a token, oldest first.
  func transactionNotes(after token: HistoryToken, limit: Int) throws(StoreError)
    -> [TransactionNote]
  /// The newest note that a test wants, of the transactions whose history is all kept.
  func newestNote(
    where isWanted: (TransactionNote) -> Bool
  ) throws(StoreError) -> TransactionNote?
  /// Calls the closure with where the log keeps edits of a class after a token that nobody has folded.
  ///
  /// However many there are, the store holds few of them in memory.
  func forEachLogPlace(
    of className: String, after token: HistoryToken, _ selection: LogSelection,
    _ body: (LogPlace) throws(StoreError) -> Void) throws(StoreError)
  /// The rows of the log at tokens that `forEachLogPlace` gave, in the order given.
  func log(at tokens: [HistoryToken]) throws(StoreError) -> [LogRow]
  /// The values of rows as the app last deleted them, by object id.
  ///
  /// The log may have lost them. A field is missing if a program that declares it has yet to fold its edits.
  func deletedFields(of className: String, objectIDs: [String]) throws(StoreError)
    -> [String: Fields]
  /// The server's values of records, as the app knew them when it deleted their rows, by object id.
  ///
  /// The store has them as long as history has the delete, and only if the server may still have the record.
  func lastKnownFields(of className: String, objectIDs: [String]) throws(StoreError)
    -> [String: Fields]
  func records(of className: String, localIDs: [LocalID]) throws(StoreError) -> [Record]
  func records(of className: String, objectIDs: [String]) throws(StoreError) -> [Record]
  /// Identity and version by object id, for the ids that have a row.
  func versions(of className: String, objectIDs: [String]) throws(StoreError) -> [String:
    StoredVersion]

  /// The rows of a batch whose records the store does not have in that version, by their numbers.
  func rowsOfOtherVersions(in batch: RowBatch, of className: String) throws(StoreError) -> [Int]

  /// Those of some rows of a batch that something else in the store concerns, by their numbers.
  ///
  /// The outbox, the quarantine or a removed row has their ids, or they may point to an id that was replaced.
  func entangledRows(
    among rows: [Int], of batch: RowBatch, in className: String
  ) throws(StoreError) -> [Int]

  /// A page of the entries that folding has made, by class and local id, behind a key.
  ///
  /// With a class, the key is one of its rows. `forEachPendingEntry` sees what is not folded yet too.
  func outbox(
    _ selection: OutboxSelection, of className: String?, after key: RecordKey?, limit: Int
  ) throws(StoreError) -> [OutboxEntry]
  /// The entries of a kind that folding has made, counted by class.
  func outboxTotals(of kind: OutboxEntry.Kind) throws(StoreError) -> [String: OutboxTotal]
  /// The number of all entries that folding has made, by class.
  func outboxCounts() throws(StoreError) -> [String: Int]
  /// Those of them that are unsent, by class.
  func unsentOutboxCounts() throws(StoreError) -> [String: Int]
  func outboxEntries(of className: String, localIDs: [LocalID]) throws(StoreError) -> [OutboxEntry]
  func outboxEntries(of className: String, objectIDs: [String]) throws(StoreError) -> [OutboxEntry]
  func outboxEntries(of className: String, clientKeys: [String]) throws(StoreError) -> [OutboxEntry]
  /// The number of rows of a class that the app has made after a token and that no sync has folded.
  ///
  /// Each of them is one create, which folding need not find out.
  func newRowCount(of className: String, after token: HistoryToken) throws(StoreError) -> Int
  /// The classes of the schema of which the log has rows of the app after a token: only these have edits to fold.
  func editedClasses(after token: HistoryToken) throws(StoreError) -> Set<String>
  /// The position in history up to which the log is folded into the outbox.
  func foldedThrough() throws(StoreError) -> HistoryToken

  func quarantined(_ className: String, objectIDs: [String]) throws(StoreError)
    -> [QuarantinedRecord]
  /// The replacements of ids that were minted, or that duplicates had, for those of the given ids that were replaced.
  func aliases(of objectIDs: [String]) throws(StoreError) -> [String: String]
  /// Those of the object ids whose rows were removed, so that the server once had their records.
  func formerIDs(of className: String, among objectIDs: [String]) throws(StoreError) -> Set<String>
  /// Those of the object ids that belonged to rows which the app took back before the server had them.
  func withdrawnIDs(of className: String, among objectIDs: [String]) throws(StoreError) -> Set<
    String
  >
  /// The rows of a class that the schema leaves out and that the server has never confirmed: local ids by
  /// object id, for those of the given ids.
  func unsentRows(ofUnregistered className: String, among objectIDs: [String]) throws(StoreError)
    -> [String:
    LocalID]
  /// How many rows have edits that nobody has folded, because the schema leaves out their class or
  /// field.
  func unfoldedRowCounts() throws(StoreError) -> UnfoldedRowCounts
  /// The fields of rows that only other programs declare; empty if the schema declares all fields.
  func undeclaredFields(of className: String, localIDs: [LocalID]) throws(StoreError)
    -> [LocalID: UndeclaredFields]
  /// The rows with unsent edits of fields that only other programs declare, and these fields.
  func undeclaredEdits(of className: String) throws(StoreError) -> [LocalID: Set<String>]
  /// How many conflict records were written after one, by class and reason.
  func conflictCounts(after id: Int64) throws(StoreError) -> [String: [ConflictRecord.Reason: Int]]
  /// The names of the triggers that other programs have on the table of a class; on all tables for nil.
  func foreignTriggers(of className: String?) throws(StoreError) -> [String]
  /// A value of the engine's bookkeeping, as JSON.
  func bookkeeping(_ key: String) throws(StoreError) -> String?

  /// The number of rows that the server has confirmed: those with a `createdAt`.
  func acknowledgedCount(of className: String) throws(StoreError) -> Int
  /// When the confirmed rows were created.
  func acknowledgedTimes(of className: String) throws(StoreError) -> CreationTimes
  /// Confirmed rows created within half-open ranges, range by range; the ranges are sorted and do not overlap.
  ///
  /// Only rows with the given local ids are read.
  func acknowledged(
    of className: String, created: [Range<Timestamp>], among localIDs: [ClosedRange<LocalID>]
  ) throws(StoreError) -> [[StoredVersion]]
  /// Confirmed rows in the order of their local ids, for a full scan.
  func acknowledged(of className: String, after localID: LocalID, limit: Int) throws(StoreError)
    -> [StoredVersion]
  /// Rows that the server has not confirmed, in the order of their local ids, for a full scan.
  func unacknowledged(of className: String, after localID: LocalID, limit: Int) throws(StoreError)
    -> [StoredVersion]

  /// The engine's bookkeeping as it was last decoded; nil for a store that does not keep it.
  var decodedNotes: DecodedNotes? { get }
}

extension SyncReader {
  package func quarantinedRecord(
    of className: String, objectID: String
  ) throws(StoreError) -> QuarantinedRecord? {
    try quarantined(className, objectIDs: [objectID]).first
  }

  /// The app's edits after a token that are not folded yet, oldest first.
  package func log(after token: HistoryToken) throws(StoreError) -> [LogRow] {
    var tokens: [HistoryToken] = []
    for className in try editedClasses(after: token).sorted() {
      try forEachLogPlace(of: className, after: token, .byRow) { tokens.append($0.token) }
    }
    return try log(at: tokens.sorted())
  }

  /// A page of all entries that folding has made.
  package func outbox(of className: String?, after key: RecordKey?, limit: Int) throws(StoreError)
    -> [OutboxEntry]
  {
    try outbox(.all, of: className, after: key, limit: limit)
  }

  /// All entries that folding has made.
  package func outbox(of className: String?) throws(StoreError) -> [OutboxEntry] {
    try outbox(of: className, after: nil, limit: .max)
  }
}
