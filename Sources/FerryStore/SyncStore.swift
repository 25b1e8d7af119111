// Ferry: offline-first sync for Parse Server. MIT licence.

/// The additional interface of a store for the engine.
package protocol SyncStore: Store {
  /// The threads for `async` reads and writes.
  var accessQueue: AccessQueue { get }
  /// A new stream that signals each commit of anybody from now on, also one that changes no row.
  ///
  /// A signal may come without a commit. A slow listener receives several signals as one.
  var commits: AsyncStream<Void> { get }
  /// Reads from one consistent view for the engine.
  func syncRead<Result>(
    _ body: (any SyncReader) throws(StoreError) -> Result
  ) throws(StoreError) -> Result
  /// Writes in one transaction of the engine.
  @discardableResult
  func sync<Result>(
    _ durability: Durability, _ body: (any SyncTransaction) throws(StoreError) -> Result
  ) throws(StoreError) -> Result
  /// Writes in one transaction of the app, beside which notes of the engine can be kept.
  @discardableResult
  func capture<Result>(
    _ body: (any CapturedTransaction) throws(StoreError) -> Result
  ) throws(StoreError) -> Result
  /// Takes the right to sync; releasing the lock returns it.
  ///
  /// - Throws: `StoreError` with code `busy` at once if another process or coordinator has the
  ///   right.
  func lockForSync() throws(StoreError) -> any SyncLock
  /// Makes what other programs left fit this program's schema; only who has the right to sync may call it.
  func prepareForSync() throws(StoreError)
  /// A copy of the whole store; it is removed when it is discarded or released.
  func clone() throws(StoreError) -> any SyncStore
  /// A view of the store as it is now, for a dry run; it keeps its own changes, and ends like a clone.
  ///
  /// It may read this store's files as long as it lives, so it is meant for a short time.
  func overlaid() throws(StoreError) -> any SyncStore
  /// Removes a clone's files, even if others still use the clone; does nothing to a store that is
  /// not a clone.
  ///
  /// A program may end before the last reference is released.
  func discardClone()
}

extension SyncStore {
  package func overlaid() throws(StoreError) -> any SyncStore { try clone() }
}
