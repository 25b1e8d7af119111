// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryStore
import Synchronization

/// Tells any number of listeners of commits; a listener that is slow gets them united.
final class ChangeBroadcast: Sendable {
  private let listeners = Mutex<(next: Int, streams: [Int: AsyncStream<StoreChange>.Continuation])>(
    (0, [:]))

  func stream() -> AsyncStream<StoreChange> {
    let (stream, continuation) = AsyncStream.makeStream(of: StoreChange.self)
    let number = listeners.withLock { listeners in
      listeners.next += 1
      listeners.streams[listeners.next] = continuation
      return listeners.next
    }
    continuation.onTermination = { [weak self] _ in
      self?.listeners.withLock { _ = $0.streams.removeValue(forKey: number) }
    }
    return stream
  }

  func send(_ change: StoreChange) {
    for listener in listeners.withLock({ Array($0.streams.values) }) { listener.yield(change) }
  }

  deinit { for listener in listeners.withLock({ $0.streams.values }) { listener.finish() } }
}
