// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryEngine
import FerryModel
import FerryPlanning
import FerryStore
import Synchronization

/// A device's store, which can be killed and reports what the engine imported.
final class StoryStore: ForwardingStore {
  let inner: any SyncStore
  private let isKilled = Mutex(false)
  /// Told of the classes of which a commit of the engine's brought rows; nil while nobody wants to know.
  private let canary: @Sendable () -> (@Sendable (Set<String>) -> Void)?

  init(
    _ inner: any SyncStore, canary: @escaping @Sendable () -> (@Sendable (Set<String>) -> Void)?
  ) {
    self.inner = inner
    self.canary = canary
  }

  func kill() { isKilled.withLock { $0 = true } }

  func sync<Result>(
    _ durability: Durability, _ body: (any SyncTransaction) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    try checkLife()
    guard let canary = canary() else { return try inner.sync(durability, body) }
    let before = try inner.read { reader throws(StoreError) in try reader.lastToken() }
    let result = try inner.sync(durability, body)
    let brought = try inner.read { reader throws(StoreError) in
      try reader.changes(after: before, limit: .max)
    }.filter { $0.author == .sync && $0.kind != .delete }
    if !brought.isEmpty { canary(Set(brought.map(\.className))) }
    return result
  }

  func checkLife() throws(StoreError) {
    guard isKilled.withLock(\.self) else { return }
    throw StoreError(.notAccessible, "The story has killed this device, so nothing is written.")
  }
}
