// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel
package import FerryPlanning

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
  /// Drops log rows that nobody needs any more: folded, merged by every reader, older than a time.
  ///
  /// - Returns: Whether the limit left some of them.
  @discardableResult
  func pruneHistory(before time: Timestamp, limit: Int) throws -> Bool
}
