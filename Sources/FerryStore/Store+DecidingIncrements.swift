// Ferry: offline-first sync for Parse Server. MIT licence.

public import FerryModel
import FerryPlanning

extension Store {
  /// Says whether the server has carried out an addition whose answer was lost.
  ///
  /// Use it for a parked change of a field with the merge `FieldMerge.increment`, where Ferry cannot find that out: the
  /// record has changed since the addition was sent. The change's reason names the values on both sides. Any thread may
  /// call it, also during a run. The next sync brings the server's value, and sends what is left to add.
  ///
  /// ```swift
  /// for change in try store.inspect({ try $0.pendingChanges() }) where change.state == .parked {
  ///   print(change.reason ?? "")
  ///   try store.decideIncrements(of: change.className, localID: change.localID, counted: true)
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - className: The class.
  ///   - localID: The app's key of the record.
  ///   - counted: Whether the server's value has the addition. If not, the next sync sends it again.
  /// - Returns: Whether there was such a change. It is false for a change that is parked for another reason.
  /// - Throws: `StoreError` if the store cannot be read or written.
  @discardableResult
  public func decideIncrements(
    of className: String, localID: LocalID, counted: Bool
  ) throws(StoreError) -> Bool {
    try syncAccess.store.sync(.full) { transaction throws(StoreError) in
      try transaction.fold()
      let row = try transaction.record(of: className, localID: localID)
      for var entry in try transaction.outboxEntries(of: className, localIDs: [localID])
      where entry.decideIncrements(counted: counted, current: row?.contents) {
        try transaction.put(entry)
        return true
      }
      return false
    }
  }

  /// Says whether the server has carried out an addition, as the blocking form does, without a wait on the calling
  /// thread.
  ///
  /// - Parameters:
  ///   - className: The class.
  ///   - localID: The app's key of the record.
  ///   - counted: Whether the server's value has the addition.
  /// - Returns: Whether there was such a change.
  /// - Throws: `StoreError` if the store cannot be read or written, and `CancellationError` if the task is cancelled
  ///   before the commit.
  @discardableResult
  public func decideIncrements(
    of className: String, localID: LocalID, counted: Bool
  ) async throws -> Bool {
    try await syncAccess.store.accessQueue.run(.writing) {
      try self.decideIncrements(of: className, localID: localID, counted: counted)
    }
  }
}
