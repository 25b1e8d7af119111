// Ferry: offline-first sync for Parse Server. MIT licence.

import Synchronization

/// Notifies any number of listeners of commits; a slow listener receives several commits as one.
package final class ChangeBroadcast: Sendable {
  private let listeners = Mutex<(next: Int, streams: [Int: AsyncStream<StoreChange>.Continuation])>(
    (0, [:]))

  package init() {}

  package func stream() -> AsyncStream<StoreChange> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: StoreChange.self, bufferingPolicy: .bufferingNewest(1))
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

  package func send(_ change: StoreChange) {
    for listener in listeners.withLock({ Array($0.streams.values) }) {
      // The listener had not read the previous signal; it becomes part of this one.
      if case .dropped(let unread) = listener.yield(change) {
        listener.yield(unread.united(with: change))
      }
    }
  }

  deinit { for listener in listeners.withLock({ $0.streams.values }) { listener.finish() } }
}

extension StoreChange {
  fileprivate func united(with later: StoreChange) -> StoreChange {
    StoreChange(
      token: max(token, later.token), classNames: classNames.union(later.classNames),
      authors: authors.union(later.authors))
  }
}
