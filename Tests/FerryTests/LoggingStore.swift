// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import Synchronization

/// An app's own store: it counts what the app writes and leaves the rest to one of Ferry's stores.
final class LoggingStore: Store {
  private let base: any Store
  private let written = Mutex(0)

  init(_ base: any Store) { self.base = base }

  /// How many times the app wrote.
  var writes: Int { written.withLock(\.self) }

  var schema: Schema { base.schema }

  var changes: AsyncStream<StoreChange> { base.changes }

  var syncAccess: SyncAccess { base.syncAccess }

  func read<Result>(
    _ body: (any StoreReader) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    try base.read(body)
  }

  func write<Result>(
    _ body: (any StoreTransaction) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    written.withLock { $0 += 1 }
    return try base.write(body)
  }
}
