// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel
package import FerryPlanning

/// A write transaction of the engine.
///
/// The store does not capture its writes; history lists them with the author `sync`.
package protocol SyncTransaction: SyncReader {
  /// Does something; an error takes back what it did, and what was done before stays.
  ///
  /// A rule of the database may end the whole transaction. Then the error says so, and must leave the transaction.
  func attempt<Result>(
    _ body: () throws(StoreError) -> Result
  ) throws(StoreError) -> Result
  /// Writes whole rows.
  ///
  /// - Returns: The rows' local ids, in the given order.
  @discardableResult
  func apply(_ rows: [ImportRow], to className: String) throws(StoreError) -> [LocalID]
  /// Inserts those of a batch's rows that the store does not have, and compares the others.
  ///
  /// None of the rows may be entangled.
  func insertNewRows(
    _ rows: [Int], of batch: RowBatch, into className: String
  ) throws(StoreError) -> BatchComparison
  /// Writes rows of a batch over those that the store has.
  func overwrite(
    _ matches: [BatchMatch], with batch: RowBatch, in className: String
  ) throws(StoreError)
  /// Removes rows, and the edits of them that wait for a program which declares their field.
  ///
  /// The store keeps their local ids in case their object ids reappear.
  func remove(_ localIDs: [LocalID], from className: String) throws(StoreError)
  /// Puts back the rows that triggers of other programs removed since the transaction began.
  ///
  /// A trigger may remove such a row again at once. The store then takes it for removed, as after `remove`.
  func putBackRowsRemovedByTriggers() throws(StoreError) -> TriggeredRemovals
  /// Keeps what a record has until `putBackRowsRemovedByTriggers` brings its row back.
  ///
  /// - Parameter known: The identity and list of a record that the app inserted again. A trigger removed its row before
  ///   the engine could give them to it.
  func noteIdentity(_ known: Record)
  /// Overwrites single fields of a row, for example after a merge.
  func set(_ fields: Fields, of className: String, localID: LocalID) throws(StoreError)
  /// Gives a row the access control list that its create sends.
  func setAccessList(_ acl: Value, of className: String, localID: LocalID) throws(StoreError)
  /// Gives rows that the app inserted again what the server has of fields which only other programs declare.
  ///
  /// Folding calls this before it is recorded. A field that the app has edited since keeps its value. An unsent edit that
  /// a delete took along comes back, and the record's fields have the server's value of that field.
  func restoreLeftOutFields(of records: [Record]) throws(StoreError)
  /// Restores a row under its old local id.
  ///
  /// A field of another program that the record does not name has the value of the row that was deleted.
  func reinstate(_ record: Record) throws(StoreError)
  /// Makes a row that of a record which the server does not have.
  ///
  /// Columns of the app's own keep their values. Edits that wait for a program which declares their field
  /// stay.
  func recreate(_ record: Record) throws(StoreError)
  /// Records that the server has a row created on this device: its creation time and its id.
  ///
  /// An id that is replaced is replaced in the row and in every pointer to it, those inside arrays and
  /// objects too, and it lives on as an alias. In what the outbox remembers of the server, an id is
  /// replaced only if the server never had it. The row's own entry keeps the old id until the caller renames it.
  func bindRow(_ key: RecordKey, from old: String, to objectID: String, createdAt: Timestamp)
    throws(StoreError)
  /// Records that the server has rows created on this device, as `bindRow` does, for old ids that it never had.
  ///
  /// - Returns: Whether a pointer in a row or in an entry may have been replaced.
  func bindNewRows(_ bindings: [RowBinding]) throws(StoreError) -> Bool
  /// Lets every pointer to a record of the server name another one; the old id lives on as an alias.
  func redirect(from old: String, to new: String, of className: String) throws(StoreError)
  /// Keeps the local id of a record whose row the app deleted, in case the record reappears.
  ///
  /// The store also keeps what the app knew of the record, if the server may still have it, as long as history has the
  /// delete.
  func remember(
    _ localID: LocalID, objectID: String, of className: String, lastKnown: Fields
  ) throws(StoreError)
  /// A local id that no row of the class had, and that none will have.
  func newLocalID(of className: String) throws(StoreError) -> LocalID
  /// Remembers that the app took a row back before the server had it.
  func noteWithdrawn(_ objectID: String, of className: String) throws(StoreError)
  /// Forgets what attempts sent of fields, where the store keeps it for a program that declares the fields.
  func forgetAttempts(of record: Pointer, on fields: Set<String>) throws(StoreError)

  func put(_ entries: [OutboxEntry]) throws(StoreError)
  func removeOutboxEntries(of className: String, localIDs: [LocalID]) throws(StoreError)
  func setFoldedThrough(_ token: HistoryToken) throws(StoreError)

  func recordConflict(_ entry: ConflictRecord) throws(StoreError)
  /// Lets the conflict records that follow in this transaction belong to a run.
  func attributeConflicts(to run: Int64)
  func quarantine(_ record: QuarantinedRecord) throws(StoreError)
  func removeFromQuarantine(_ className: String, objectIDs: [String]) throws(StoreError)
  func setBookkeeping(_ key: String, to json: String?) throws(StoreError)
  /// Drops log rows that are folded and that no reader needs.
  ///
  /// - Returns: Whether the limit left some of them.
  @discardableResult
  func pruneHistory(keeping retention: HistoryRetention, limit: Int) throws(StoreError) -> Bool
  /// Drops conflict records that are old enough.
  ///
  /// - Returns: Whether the limit may have left some of them.
  @discardableResult
  func pruneConflicts(keeping retention: ConflictRetention, limit: Int) throws(StoreError) -> Bool
}

extension SyncTransaction {
  /// Keeps the local id of a record that the server no longer has, or whose values it may have changed since.
  package func remember(
    _ localID: LocalID, objectID: String, of className: String
  ) throws(StoreError) {
    try remember(localID, objectID: objectID, of: className, lastKnown: Fields())
  }

  package func put(_ entry: OutboxEntry) throws(StoreError) { try put([entry]) }

  package func removeOutboxEntry(of className: String, localID: LocalID) throws(StoreError) {
    try removeOutboxEntries(of: className, localIDs: [localID])
  }
}

extension SyncReader {
  /// Whether the server may have, or have had, a record under an id.
  ///
  /// A minted id is unknown there until a row with it was acknowledged.
  package func mayBeKnownToServer(_ objectID: String, of className: String) throws(StoreError)
    -> Bool
  {
    guard MintedID.matches(objectID) else { return true }
    return try !formerIDs(of: className, among: [objectID]).isEmpty
  }
}
