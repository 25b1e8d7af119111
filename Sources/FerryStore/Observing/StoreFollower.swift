// Ferry: offline-first sync for Parse Server. MIT licence.

/// Looks at a store after each commit, until what it looks for has changed.
struct StoreFollower<Look: StoreLook>: Follower {
  private let store: any SyncStore
  private var look: Look
  private var commits: AsyncStream<Void>?

  init(_ look: Look, at store: any SyncStore) {
    self.store = store
    self.look = look
  }

  mutating func next() async throws -> Look.Element? {
    guard let commits else {
      // It listens before it looks for the first time, so it misses no commit.
      commits = try await store.accessQueue.run(.reading) { [store] in store.commits }
      return try await glance()
    }
    for await _ in commits {
      if let element = try await glance() { return element }
    }
    return nil
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
