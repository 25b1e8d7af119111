// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel
package import FerryPlanning

/// What the engine reads beside what an app may read.
package protocol SyncReader: StoreReader {
  /// What the app edited after a token and nobody has folded, oldest first.
  func log(after token: HistoryToken) throws -> [LogRow]
  func records(of className: String, localIDs: [LocalID]) throws -> [Record]
  func records(of className: String, objectIDs: [String]) throws -> [Record]
  /// Identity and version by object id, for the ids that have a row.
  func versions(of className: String, objectIDs: [String]) throws -> [String: StoredVersion]

  /// The entries that folding has made; `pendingEntries()` sees what is not folded yet too.
  func outbox(of className: String?) throws -> [OutboxEntry]
  func outboxEntries(of className: String, localIDs: [LocalID]) throws -> [OutboxEntry]
  func outboxEntries(of className: String, objectIDs: [String]) throws -> [OutboxEntry]
  func outboxEntries(of className: String, clientKeys: [String]) throws -> [OutboxEntry]
  /// The log is folded into the outbox up to here.
  func foldedThrough() throws -> HistoryToken

  func quarantined(_ className: String, objectIDs: [String]) throws -> [QuarantinedRecord]
  /// The ids that replaced minted ones, for those of the given ids that were replaced.
  func aliases(of objectIDs: [String]) throws -> [String: String]
  /// Which of the object ids belonged to rows that were removed: records that the server once had.
  func formerIDs(of className: String, among objectIDs: [String]) throws -> Set<String>
  /// A value of the engine's bookkeeping, as JSON.
  func bookkeeping(_ key: String) throws -> String?

  /// How many rows the server has named or confirmed: those with a `createdAt`.
  func acknowledgedCount(of className: String) throws -> Int
  /// The same, by half-open ranges between neighbouring boundaries, in one scan.
  func acknowledgedCounts(of className: String, boundaries: [Timestamp]) throws -> [Int]
  /// Acknowledged rows created within a half-open range.
  func acknowledged(of className: String, created: Range<Timestamp>) throws -> [StoredVersion]
  /// Acknowledged rows in the order of their local ids, for a full scan.
  func acknowledged(of className: String, after localID: LocalID, limit: Int) throws
    -> [StoredVersion]
}

/// One write transaction of the engine's.
///
/// Its writes are not captured: author `sync` in history.
package protocol SyncTransaction: SyncReader {
  /// Writes whole rows.
  ///
  /// - Returns: The rows' local ids, in the order given.
  @discardableResult
  func apply(_ rows: [ImportRow], to className: String) throws -> [LocalID]
  /// Removes rows. Their object ids keep their local ids, should they reappear.
  func remove(_ localIDs: [LocalID], from className: String) throws
  /// Overwrites single fields of a row, as a merge or a conflict records does.
  func set(_ fields: Fields, of className: String, localID: LocalID) throws
  /// Puts a row back that the app deleted, under its old local id.
  func reinstate(_ record: Record) throws
  /// Records that the server has a row created here: its creation time, and the id it was given.
  ///
  /// A minted id that is replaced is replaced everywhere: in the row, in every pointer to it (those
  /// inside arrays and objects too), in the outbox; and it lives on as an alias.
  func acknowledgeCreate(
    of className: String, localID: LocalID, objectID: String, createdAt: Timestamp) throws
  /// Remembers the local id of a record whose row the app deleted, should it reappear.
  func remember(_ localID: LocalID, objectID: String, of className: String) throws

  func put(_ entry: OutboxEntry) throws
  func removeOutboxEntry(of className: String, localID: LocalID) throws
  func setFoldedThrough(_ token: HistoryToken) throws

  func recordConflict(_ entry: ConflictRecord) throws
  func quarantine(_ record: QuarantinedRecord) throws
  func removeFromQuarantine(_ className: String, objectIDs: [String]) throws
  func setBookkeeping(_ key: String, to json: String?) throws
  /// Drops log rows that nobody needs any more: folded, merged by every reader, and older than a week.
  func pruneHistory(before time: Timestamp) throws
}
