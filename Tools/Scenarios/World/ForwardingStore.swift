// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel
package import FerryStore

/// A store in front of another, which passes on all that its type does not change.
package protocol ForwardingStore: SyncStore {
  /// The store behind it.
  var inner: any SyncStore { get }
  /// Refuses to write, for example because the device was killed.
  ///
  /// A killed process leaves the state of its last commit. So a store that refuses every further commit is in
  /// the same state as after a kill.
  func checkLife() throws(StoreError)
}

extension ForwardingStore {
  package var schema: Schema { inner.schema }
  package var accessQueue: AccessQueue { inner.accessQueue }
  package var commits: AsyncStream<Void> { inner.commits }
  package var changes: AsyncStream<StoreChange> { inner.changes }
  package var syncAccess: SyncAccess { SyncAccess(self) }

  package func read<Result>(
    _ body: (any StoreReader) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    try inner.read(body)
  }

  package func write<Result>(
    _ body: (any StoreTransaction) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    try checkLife()
    return try inner.write(body)
  }

  package func capture<Result>(
    _ body: (any CapturedTransaction) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    try checkLife()
    return try inner.capture(body)
  }

  package func syncRead<Result>(
    _ body: (any SyncReader) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    try inner.syncRead(body)
  }

  package func lockForSync() throws(StoreError) -> any SyncLock { try inner.lockForSync() }
  package func prepareForSync() throws(StoreError) { try inner.prepareForSync() }
  package func clone() throws(StoreError) -> any SyncStore { try inner.clone() }
  package func overlaid() throws(StoreError) -> any SyncStore { try inner.overlaid() }
  package func discardClone() { inner.discardClone() }
}
