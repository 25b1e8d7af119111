// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryPlanning

/// Reads page after page of history for a named reader, and waits for commits at the end.
struct HistoryFollower: Follower {
  let reader: HistoryReader
  let store: any SyncStore
  let limit: Int
  private var position: HistoryToken?
  private var commits: AsyncStream<Void>?

  init(_ reader: HistoryReader, at store: any SyncStore, limit: Int) {
    self.reader = reader
    self.store = store
    self.limit = limit
  }

  mutating func next() async throws -> HistoryPage? {
    // It listens before it reads for the first time, so it misses no commit.
    let commits =
      if let commits { commits } else {
        try await store.accessQueue.run(.reading) { [store] in store.commits }
      }
    self.commits = commits
    if let page = try await nextPage() { return page }
    for await _ in commits {
      if let page = try await nextPage() { return page }
    }
    return nil
  }

  /// The next page that has transactions; nil at the present end of history.
  private mutating func nextPage() async throws -> HistoryPage? {
    let page = try await store.accessQueue.run(.reading) { [reader, limit, position] in
      try reader.page(after: position, limit: limit)
    }
    position = page.through
    return page.transactions.isEmpty ? nil : page
  }
}
