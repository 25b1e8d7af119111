// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryStore

/// A device's store, which reports each commit by the engine, and writes nothing once the device is killed.
///
/// A killed process leaves the state of its last commit.
final class ObservedStore: SyncStore, @unchecked Sendable {
  let inner: any SyncStore
  private let committed: () -> Void
  private(set) var isKilled = false

  /// A mistake that a test of the simulator has put in.
  private let mistake: () -> Mistake?

  init(
    _ inner: any SyncStore, mistake: @escaping () -> Mistake?, committed: @escaping () -> Void
  ) {
    self.inner = inner
    self.mistake = mistake
    self.committed = committed
  }

  func kill() { isKilled = true }

  var schema: Schema { inner.schema }
  var changes: AsyncStream<StoreChange> { inner.changes }
  var syncAccess: SyncAccess { SyncAccess(self) }

  func read<Result>(
    _ body: (any StoreReader) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    try inner.read(body)
  }

  func write<Result>(
    _ body: (any StoreTransaction) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    try checkLife()
    return try inner.write(body)
  }

  func syncRead<Result>(
    _ body: (any SyncReader) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    guard let mistake = mistake() else { return try inner.syncRead(body) }
    return try inner.syncRead { reader throws(StoreError) in
      try body(MistakenReader(reader: reader, mistake: mistake))
    }
  }

  func sync<Result>(
    _ durability: Durability, _ body: (any SyncTransaction) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    try checkLife()
    let mistake = mistake()
    let result = try inner.sync(durability) { transaction throws(StoreError) in
      guard let mistake else { return try body(transaction) }
      return try body(MistakenTransaction(transaction: transaction, mistake: mistake))
    }
    committed()
    return result
  }

  func lockForSync() throws(StoreError) -> any SyncLock { try inner.lockForSync() }
  func clone() throws(StoreError) -> any SyncStore { try inner.clone() }
  func discardClone() { inner.discardClone() }

  private func checkLife() throws(StoreError) {
    guard isKilled else { return }
    throw StoreError(.notAccessible, "The device was killed, so nothing is written.")
  }
}
