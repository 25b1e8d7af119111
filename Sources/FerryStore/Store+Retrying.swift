// Ferry: offline-first sync for Parse Server. MIT licence.

public import FerryModel
import FerryPlanning

extension Store {
  /// Lets the next sync send a parked change again, and one that pauses after failures.
  ///
  /// Use it when the cause was mended: on the server, or by a log-in. An edit of the record does the same. Any thread
  /// may call it, also during a run.
  ///
  /// ```swift
  /// for change in try store.inspect({ try $0.pendingChanges() }) where change.state == .parked {
  ///   try store.retryChange(of: change.className, localID: change.localID)
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - className: The class.
  ///   - localID: The app's key of the record, also of one that the app deleted.
  /// - Returns: Whether the change was waiting so. It is false for a change that the next sync sends in any case, and for
  ///   one that waits for another record.
  /// - Throws: `StoreError` if the store cannot be read or written.
  @discardableResult
  public func retryChange(of className: String, localID: LocalID) throws(StoreError) -> Bool {
    try syncAccess.store.sync(.full) { transaction throws(StoreError) in
      for var entry in try transaction.outboxEntries(of: className, localIDs: [localID])
      where entry.sendAgain() {
        try transaction.put(entry)
        return true
      }
      return false
    }
  }

  /// Lets the next sync send all parked changes again, and those that pause after failures.
  ///
  /// - Parameter className: The class; nil for all.
  /// - Returns: The number of changes that were waiting so.
  /// - Throws: `StoreError` if the store cannot be read or written.
  @discardableResult
  public func retryChanges(of className: String? = nil) throws(StoreError) -> Int {
    try syncAccess.store.sync(.full) { transaction throws(StoreError) in
      var count = 0
      try transaction.forEachOutboxEntry(.touched) { entry throws(StoreError) in
        var entry = entry
        guard className.map({ $0 == entry.className }) ?? true, entry.sendAgain() else { return }
        try transaction.put(entry)
        count += 1
      }
      return count
    }
  }

  /// Lets the next sync send a change again, as the blocking form does, without a wait on the calling thread.
  ///
  /// - Parameters:
  ///   - className: The class.
  ///   - localID: The app's key of the record.
  /// - Returns: Whether the change was waiting so.
  /// - Throws: `StoreError` if the store cannot be read or written, and `CancellationError` if the task is cancelled
  ///   before the commit.
  @discardableResult
  public func retryChange(of className: String, localID: LocalID) async throws -> Bool {
    try await syncAccess.store.accessQueue.run(.writing) {
      try self.retryChange(of: className, localID: localID)
    }
  }

  /// Lets the next sync send all such changes again, as the blocking form does, without a wait on the calling thread.
  ///
  /// - Parameter className: The class; nil for all.
  /// - Returns: The number of changes that were waiting so.
  /// - Throws: `StoreError` if the store cannot be read or written, and `CancellationError` if the task is cancelled
  ///   before the commit.
  @discardableResult
  public func retryChanges(of className: String? = nil) async throws -> Int {
    try await syncAccess.store.accessQueue.run(.writing) { try self.retryChanges(of: className) }
  }
}
