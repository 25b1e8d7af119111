// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryPlanning

/// Reads page after page of history for a named reader, and waits for commits at the end.
struct HistoryFollower: Follower {
  let reader: HistoryReader
  let store: any SyncStore
  let limit: Int
  /// The last page, behind which the next one begins.
  private var last: HistoryPage?
  /// The end of the last page that had transactions.
  private var given: HistoryToken?
  private var commits: AsyncStream<Void>?
  /// How far the position may be behind by what the filter lets not pass.
  private static let leeway: Int64 = 1000

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
    var page = try await store.accessQueue.run(.reading) { [reader, limit, last] in
      try reader.page(after: last, limit: limit)
    }
    if !page.isOfKnownReader { page.isOfKnownReader = await makeKnown() }
    last = page
    guard page.transactions.isEmpty else {
      given = page.through
      return page
    }
    await passOver(page)
    return nil
  }

  /// Makes the reader known to the store, without which nobody could tell that it is removed later.
  ///
  /// - Returns: False for a store that may only be read: it keeps no readers.
  private func makeKnown() async -> Bool {
    do {
      try await store.accessQueue.run(.writing) { [reader] in try reader.makeKnown() }
      return true
    } catch {
      return false
    }
  }

  /// Moves the reader's position over history that its filter leaves out, so that it does not hold it.
  private func passOver(_ page: HistoryPage) async {
    // The next page tries again, and a store that may only be read drops no history.
    try? await store.accessQueue.run(.writing) { [reader, given] in
      try reader.passOver(page, ifMerged: given, leeway: Self.leeway)
    }
  }
}
