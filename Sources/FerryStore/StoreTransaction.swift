// Ferry: offline-first sync for Parse Server. MIT licence.

public import FerryModel
public import FerryPlanning

/// One write transaction of the app's: everything in it is kept, or nothing.
///
/// Each edit is captured in the same transaction and sent by the next sync.
public protocol StoreTransaction: StoreReader {
  /// Inserts a row.
  ///
  /// - Parameters:
  ///   - className: The class.
  ///   - fields: Declared fields; those not given have their defaults.
  ///   - objectID: An id of your own, for servers that allow it; nil mints one.
  /// - Returns: The row's names, to point at it.
  /// - Throws: `StoreError` for a class or field that is not registered, a value of another
  ///   type, a whole number beyond ±2^53, or an object id that a row has already.
  @discardableResult
  func insert(_ className: String, _ fields: Fields, objectID: String?) throws -> RecordReference

  /// Changes the given fields of a row; `.null` clears a field.
  ///
  /// - Throws: `StoreError` as `insert`, and with code `noSuchRecord` when there is no such row.
  func update(_ className: String, _ localID: LocalID, _ fields: Fields) throws

  /// Deletes a row.
  ///
  /// - Throws: `StoreError` with code `noSuchRecord` when there is no such row.
  func delete(_ className: String, _ localID: LocalID) throws

  /// Records that a named reader has merged everything up to a place in history.
  ///
  /// History is kept for the slowest reader, so say so only when it is true.
  func setToken(_ token: HistoryToken, ofReader name: String) throws

  /// Brings back the values of a conflict records entry as an edit of the app's.
  ///
  /// - Returns: The row that holds them now: the same one, or a new one where the record was removed.
  @discardableResult
  func restore(conflict id: Int64) throws -> RecordReference
}

extension StoreTransaction {
  /// Inserts a row under a minted id.
  @discardableResult
  public func insert(_ className: String, _ fields: Fields) throws -> RecordReference {
    try insert(className, fields, objectID: nil)
  }

  /// Changes the given fields of a row; `.null` clears a field.
  public func update(_ reference: RecordReference, _ fields: Fields) throws {
    try update(reference.className, reference.localID, fields)
  }

  /// Deletes a row.
  public func delete(_ reference: RecordReference) throws {
    try delete(reference.className, reference.localID)
  }
}
