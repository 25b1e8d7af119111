// Ferry: offline-first sync for Parse Server. MIT licence.

/// Looks at a store after each commit, until what it looks for has changed.
///
/// Each look at what is unsent reads all edits that are not folded. So the follower folds them when they are many: while
/// its listener waits for the next element, and never before it has the present one.
struct StoreFollower<Look: StoreLook>: Follower {
  /// Folding 200 edits costs a few milliseconds, and reading fewer of them costs less than that.
  private static var mostUnfolded: Int64 { 200 }

  private let store: any SyncStore
  private var keepsFolded: Bool
  private var look: Look
  private var commits: AsyncStream<Void>?
  private var isFoldingDue = false

  init(_ look: Look, at store: any SyncStore) {
    self.store = store
    self.look = look
    keepsFolded = look.readsUnsent
  }

  mutating func next() async throws -> Look.Element? {
    guard let commits else {
      // It listens before it looks for the first time, so it misses no commit.
      commits = try await store.accessQueue.run(.reading) { [store] in store.commits }
      return try await glance()
    }
    await foldIfDue()
    for await _ in commits {
      if let element = try await glance() { return element }
      await foldIfDue()
    }
    return nil
  }

  private mutating func glance() async throws -> Look.Element? {
    let (seen, element, isFoldingDue) = try await store.accessQueue.run(.reading) {
      [store, look, keepsFolded] in
      var look = look
      var passage = ErrorPassage()
      do throws(StoreError) {
        return try store.syncRead { reader throws(StoreError) in
          let element = try passage.run { try look.next(in: reader) }
          let unfolded = keepsFolded ? try reader.unfoldedTokens() : 0
          return (look, element, unfolded > Self.mostUnfolded)
        }
      } catch {
        throw passage.result(of: error)
      }
    }
    look = seen
    self.isFoldingDue = isFoldingDue
    return element
  }

  /// Folding fails in a store that is open for reading only, and where a rule of another program ends it.
  ///
  /// Then it is left to a sync, and the looks read all edits.
  private mutating func foldIfDue() async {
    guard isFoldingDue else { return }
    isFoldingDue = false
    do {
      // The log still has what a loss of power takes away.
      try await store.accessQueue.run(.writing) { [store] in
        try store.sync(.normal) { transaction throws(StoreError) in try transaction.fold() }
      }
    } catch {
      keepsFolded = false
    }
  }
}
