// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning

extension Store {
  /// Lets the next sync fetch a record from quarantine again, and import it if it can be read now.
  ///
  /// A sync tries such a record by itself once it has a newer version, once the schema has changed, and when it compares
  /// the record's part of the class. Use this call when the cause was mended otherwise: the server dropped a field, or
  /// the class's serializer reads more than before. Any thread may call it, also during a run.
  ///
  /// ```swift
  /// for record in try store.read({ try $0.quarantine(of: "Game") }) where !record.isRefusedByStore {
  ///   try store.retryQuarantined(of: record.className, objectID: record.objectID)
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - className: The class.
  ///   - objectID: The id of the record, as `QuarantinedRecord.objectID` gives it.
  /// - Returns: Whether the next sync that compares the class fetches the record because of this call. It is false for a record that each sync
  ///   tries in any case (`QuarantinedRecord.isRefusedByStore`), for one that the server sent without an id, and where
  ///   there is no such record.
  /// - Throws: `StoreError` if the store cannot be read or written.
  @discardableResult
  public func retryQuarantined(of className: String, objectID: String) throws(StoreError) -> Bool {
    try syncAccess.store.sync(.full) { transaction throws(StoreError) in
      try transaction.retry(try transaction.quarantined(className, objectIDs: [objectID])) > 0
    }
  }

  /// Lets the next sync fetch all such records from quarantine again.
  ///
  /// - Parameter className: The class; nil for all.
  /// - Returns: The number of records that the next sync fetches because of this call.
  /// - Throws: `StoreError` if the store cannot be read or written.
  @discardableResult
  public func retryQuarantined(of className: String? = nil) throws(StoreError) -> Int {
    try syncAccess.store.sync(.full) { transaction throws(StoreError) in
      try transaction.retry(try transaction.quarantine(of: className))
    }
  }

  /// Lets the next sync fetch a record again, as the blocking form does, without a wait on the calling thread.
  ///
  /// - Parameters:
  ///   - className: The class.
  ///   - objectID: The id of the record.
  /// - Returns: Whether the next sync that compares the class fetches the record because of this call.
  /// - Throws: `StoreError` if the store cannot be read or written, and `CancellationError` if the task is cancelled
  ///   before the commit.
  @discardableResult
  public func retryQuarantined(of className: String, objectID: String) async throws -> Bool {
    try await syncAccess.store.accessQueue.run(.writing) {
      try self.retryQuarantined(of: className, objectID: objectID)
    }
  }

  /// Lets the next sync fetch all such records again, as the blocking form does, without a wait on the calling thread.
  ///
  /// - Parameter className: The class; nil for all.
  /// - Returns: The number of records that the next sync fetches because of this call.
  /// - Throws: `StoreError` if the store cannot be read or written, and `CancellationError` if the task is cancelled
  ///   before the commit.
  @discardableResult
  public func retryQuarantined(of className: String? = nil) async throws -> Int {
    try await syncAccess.store.accessQueue.run(.writing) {
      try self.retryQuarantined(of: className)
    }
  }
}

extension SyncTransaction {
  /// - Returns: The number of records that no sync would have tried by itself.
  fileprivate func retry(_ records: [QuarantinedRecord]) throws(StoreError) -> Int {
    var count = 0
    for var record in records {
      guard let entity = schema.entity(record.className), record.retry(as: entity) else { continue }
      try quarantine(record)
      count += 1
    }
    return count
  }
}
