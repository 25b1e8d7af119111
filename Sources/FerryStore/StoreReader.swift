// Ferry: offline-first sync for Parse Server. MIT licence.

public import FerryModel
public import FerryPlanning

/// One consistent view of a store, valid inside the closure it is handed to.
public protocol StoreReader {
  /// The registered classes.
  var schema: Schema { get }

  /// The row with that local id; nil when there is none.
  func record(of className: String, localID: LocalID) throws -> Record?

  /// The row with that object id, or with a minted id that the server replaced since.
  func record(of className: String, objectID: String) throws -> Record?

  /// The rows of a class.
  ///
  /// - Parameters:
  ///   - className: The class.
  ///   - condition: Which rows; nil for all.
  ///   - order: By what to sort; rows that are equal in it, and all rows when it is empty, come by age.
  ///   - limit: At most so many rows; nil for all.
  ///   - offset: How many rows to leave out at the start.
  /// - Returns: The rows.
  /// - Throws: `StoreError` for a class or field that is not registered.
  func records(
    of className: String, where condition: Condition?, orderedBy order: [SortOrder], limit: Int?,
    offset: Int
  ) throws -> [Record]

  /// The number of rows of a class for which the condition holds.
  func count(of className: String, where condition: Condition?) throws -> Int

  /// The newest place in history.
  func lastToken() throws -> HistoryToken

  /// What happened after a place in history, oldest first, everyone's changes.
  ///
  /// - Throws: `StoreError` with code `historyPruned` when the token is older than what is kept.
  func changes(after token: HistoryToken, limit: Int) throws -> [Change]

  /// Where a named reader of history stands; the start for a name not seen before.
  func token(ofReader name: String) throws -> HistoryToken

  /// The values that syncs overwrote or removed, newest first.
  func conflicts(limit: Int?) throws -> [ConflictRecord]

  /// The server's records that could not be imported.
  func quarantine(of className: String?) throws -> [QuarantinedRecord]
}

extension StoreReader {
  /// The rows of a class, all of them unless told otherwise.
  public func records(
    of className: String, where condition: Condition? = nil, orderedBy order: SortOrder...,
    limit: Int? = nil
  ) throws -> [Record] {
    try records(of: className, where: condition, orderedBy: order, limit: limit, offset: 0)
  }

  /// The number of rows of a class.
  public func count(of className: String) throws -> Int { try count(of: className, where: nil) }
}
