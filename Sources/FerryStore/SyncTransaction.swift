// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel
package import FerryPlanning

/// The reads of the engine, in addition to those of an app.
package protocol SyncReader: StoreReader {
  /// The app's edits after a token that are not folded yet, oldest first.
  func log(after token: HistoryToken) throws -> [LogRow]
  func records(of className: String, localIDs: [LocalID]) throws -> [Record]
  func records(of className: String, objectIDs: [String]) throws -> [Record]
  /// Identity and version by object id, for the ids that have a row.
  func versions(of className: String, objectIDs: [String]) throws -> [String: StoredVersion]

  /// The entries that folding has made; `pendingEntries()` also includes edits not folded yet.
  func outbox(of className: String?) throws -> [OutboxEntry]
  func outboxEntries(of className: String, localIDs: [LocalID]) throws -> [OutboxEntry]
  func outboxEntries(of className: String, objectIDs: [String]) throws -> [OutboxEntry]
  func outboxEntries(of className: String, clientKeys: [String]) throws -> [OutboxEntry]
  /// The position in history up to which the log is folded into the outbox.
  func foldedThrough() throws -> HistoryToken

  func quarantined(_ className: String, objectIDs: [String]) throws -> [QuarantinedRecord]
  /// The replacements of minted ids, for those of the given ids that were replaced.
  func aliases(of objectIDs: [String]) throws -> [String: String]
  /// Those of the object ids whose rows were removed, so that the server once had their records.
  func formerIDs(of className: String, among objectIDs: [String]) throws -> Set<String>
  /// Which of the object ids belonged to rows that the app took back before the server had them.
  func withdrawnIDs(of className: String, among objectIDs: [String]) throws -> Set<String>
  /// A value of the engine's bookkeeping, as JSON.
  func bookkeeping(_ key: String) throws -> String?

  /// The number of rows that the server has confirmed: those with a `createdAt`.
  func acknowledgedCount(of className: String) throws -> Int
  /// The number of confirmed rows in each half-open range between neighbouring boundaries, in one
  /// scan.
  func acknowledgedCounts(of className: String, boundaries: [Timestamp]) throws -> [Int]
  /// Confirmed rows created within a half-open range.
  func acknowledged(of className: String, created: Range<Timestamp>) throws -> [StoredVersion]
  /// Confirmed rows in the order of their local ids, for a full scan.
  func acknowledged(of className: String, after localID: LocalID, limit: Int) throws
    -> [StoredVersion]
}

/// A write transaction of the engine.
///
/// The store does not capture its writes; history lists them with the author `sync`.
package protocol SyncTransaction: SyncReader {
  /// Writes whole rows.
  ///
  /// - Returns: The rows' local ids, in the given order.
  @discardableResult
  func apply(_ rows: [ImportRow], to className: String) throws -> [LocalID]
  /// Removes rows. The store keeps their local ids in case their object ids reappear.
  func remove(_ localIDs: [LocalID], from className: String) throws
  /// Overwrites single fields of a row, for example after a merge.
  func set(_ fields: Fields, of className: String, localID: LocalID) throws
  /// Restores a row that the app deleted, under its old local id.
  func reinstate(_ record: Record) throws
  /// Records that the server has a row created on this device: its creation time and its id.
  ///
  /// An id that is replaced is replaced in the row and in every pointer to it, those inside arrays and
  /// objects too, and it lives on as an alias. In what the outbox remembers of the server, an id is
  /// replaced only if the server never had it.
  func acknowledgeCreate(
    of className: String, localID: LocalID, objectID: String, createdAt: Timestamp) throws
  /// Keeps the local id of a record whose row the app deleted, in case the record reappears.
  func remember(_ localID: LocalID, objectID: String, of className: String) throws
  /// Remembers that the app took a row back before the server had it.
  func noteWithdrawn(_ objectID: String, of className: String) throws

  func put(_ entry: OutboxEntry) throws
  func removeOutboxEntry(of className: String, localID: LocalID) throws
  func setFoldedThrough(_ token: HistoryToken) throws

  func recordConflict(_ entry: ConflictRecord) throws
  func quarantine(_ record: QuarantinedRecord) throws
  func removeFromQuarantine(_ className: String, objectIDs: [String]) throws
  func setBookkeeping(_ key: String, to json: String?) throws
  /// Removes log rows that nobody needs: folded, merged by every reader, and older than a week.
  func pruneHistory(before time: Timestamp) throws
}

extension SyncReader {
  /// Whether the server may have, or have had, a record under an id.
  ///
  /// A minted id is unknown there until a row with it was acknowledged.
  package func mayBeKnownToServer(_ objectID: String, of className: String) throws -> Bool {
    try !MintedID.matches(objectID)
      || !formerIDs(of: className, among: [objectID]).isEmpty
  }
}
