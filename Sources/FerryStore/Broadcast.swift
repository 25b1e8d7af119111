// Ferry: offline-first sync for Parse Server. MIT licence.

import Synchronization

/// Sends signals to any number of listeners; a slow listener receives several signals as one.
package final class Broadcast<Signal: Sendable>: Sendable {
  private struct Listeners {
    var next = 0
    var streams: [Int: AsyncStream<Signal>.Continuation] = [:]
  }

  private let listeners = Mutex(Listeners())
  /// One signal at a time: two at once could drop the union of each other's.
  private let sending = Mutex(())
  private let unite: @Sendable (_ earlier: Signal, _ later: Signal) -> Signal

  /// A broadcast without listeners.
  ///
  /// - Parameter unite: One signal for two that a listener has not read.
  package init(uniting unite: @escaping @Sendable (_ earlier: Signal, _ later: Signal) -> Signal) {
    self.unite = unite
  }

  package func stream() -> AsyncStream<Signal> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: Signal.self, bufferingPolicy: .bufferingNewest(1))
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

  /// Whether anybody listens.
  package var isHeard: Bool { listeners.withLock { !$0.streams.isEmpty } }

  package func send(_ signal: Signal) {
    sending.withLock { _ in
      for listener in listeners.withLock({ Array($0.streams.values) }) {
        // The listener had not read the previous signal; it becomes part of this one.
        if case .dropped(let unread) = listener.yield(signal) {
          listener.yield(unite(unread, signal))
        }
      }
    }
  }

  deinit { for listener in listeners.withLock({ $0.streams.values }) { listener.finish() } }
}

extension Broadcast<StoreChange> {
  /// A broadcast of changes: those that a listener has not read become one change.
  package convenience init() {
    self.init { earlier, later in
      StoreChange(
        token: max(earlier.token, later.token),
        classNames: earlier.classNames.union(later.classNames),
        authors: earlier.authors.union(later.authors))
    }
  }
}

extension Broadcast<Void> {
  /// A broadcast of signals without content.
  package convenience init() { self.init { _, _ in } }
}
