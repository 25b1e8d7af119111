// Ferry: offline-first sync for Parse Server. MIT licence.

/// Looks at a store after each commit, and after each signal of another source, until what it looks for has changed.
struct StoreFollower<Look: StoreLook>: Follower {
  private let store: any SyncStore
  private var look: Look
  private let others: (@Sendable () -> AsyncStream<Void>)?
  private var signals: AsyncStream<Void>?

  init(_ look: Look, at store: any SyncStore, also others: (@Sendable () -> AsyncStream<Void>)?) {
    self.store = store
    self.look = look
    self.others = others
  }

  mutating func next() async throws -> Look.Element? {
    guard let signals else {
      // It listens before it looks for the first time, so it misses no commit.
      let commits = try await store.accessQueue.run(.reading) { [store] in store.commits }
      signals = others.map { Self.union(commits, $0()) } ?? commits
      return try await glance()
    }
    for await _ in signals {
      if let element = try await glance() { return element }
    }
    return nil
  }

  /// The signals of both; ten of each a second at most, because a look may cost more than one of them is worth.
  private static func union(
    _ first: AsyncStream<Void>, _ second: AsyncStream<Void>
  ) -> AsyncStream<Void> {
    AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      let tasks = [first, second].map { signals in
        Task {
          for await _ in signals {
            continuation.yield()
            // Later signals come as one.
            try await Task.sleep(for: .milliseconds(100))
          }
        }
      }
      continuation.onTermination = { _ in for task in tasks { task.cancel() } }
    }
  }

  private mutating func glance() async throws -> Look.Element? {
    let (seen, element) = try await store.accessQueue.run(.reading) { [store, look] in
      var look = look
      var passage = ErrorPassage()
      do throws(StoreError) {
        let element = try store.syncRead { reader throws(StoreError) in
          try passage.run { try look.next(in: reader) }
        }
        return (look, element)
      } catch {
        throw passage.result(of: error)
      }
    }
    look = seen
    return element
  }
}
