// Ferry: offline-first sync for Parse Server. MIT licence.

/// What the engine asks of a store beside what an app does.
package protocol SyncStore: Store {
  /// A view for the engine.
  func syncRead<Result>(_ body: (any SyncReader) throws -> Result) throws -> Result
  /// A transaction of the engine's.
  func sync<Result>(_ durability: Durability, _ body: (any SyncTransaction) throws -> Result) throws
    -> Result
  /// Takes the right to sync; released when the lock goes.
  ///
  /// - Throws: `StoreError` with code `busy` at once when another process or coordinator has it.
  func lockForSync() throws -> any SyncLock
  /// A copy of everything, to try things on; it is gone when it is discarded or released.
  func clone() throws -> any SyncStore
  /// Removes what a clone keeps on disk, whoever still holds it; nothing of a store that is no clone.
  ///
  /// A program may end before the last one lets go.
  func discardClone()
}
