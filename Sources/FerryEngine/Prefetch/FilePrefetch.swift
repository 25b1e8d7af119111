// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import FerryStore

/// The prefetch of one file field: it follows the history of the field's class, and fetches what its rows name.
///
/// History says which rows changed, so its work grows with the changes and not with the store. The reader of history
/// has a name, so the work goes on after a restart.
struct FilePrefetch: Sendable {
  /// How many rows it reads at a time.
  private static let pageSize = 200
  /// How many files it fetches at a time.
  private static let width = 4

  let className: String
  let field: String
  let coordinator: SyncCoordinator
  let firstPause: Duration
  let onFailure: @Sendable (PrefetchedFile, FileError) async -> Void
  let mayFetch: @Sendable (PrefetchedFile) async -> Bool

  private var filter: HistoryFilter { HistoryFilter(classNames: [className]) }

  /// Fetches until the task is cancelled.
  func run() async throws {
    let reader = coordinator.store.historyReader("files of \(className).\(field)", matching: filter)
    var isBehind = false
    while !Task.isCancelled {
      do {
        // History may be dropped again meanwhile, as the app may have a file wait for days.
        if isBehind { try await catchUp(reader) }
        isBehind = false
        for try await page in reader.pages() {
          try await fetch(after: page)
          try await reader.markMerged(page)
        }
      } catch let error as StoreError where error.code == .historyPruned {
        isBehind = true
      }
    }
    throw CancellationError()
  }

  /// Fetches the files of all rows, and moves the reader to the state of history that they belong to.
  private func catchUp(_ reader: HistoryReader) async throws {
    struct Behind: Error {}
    var through = try await coordinator.store.read { try $0.lastToken() }
    try await fetch(in: LocalID(rawValue: .min)...LocalID(rawValue: .max))
    while true {
      var page: HistoryPage
      repeat {
        page = try await coordinator.store.read { [through] in
          try $0.transactions(after: through, matching: filter, limit: 100)
        }
        try await fetch(after: page)
        through = page.through
      } while page.hasMore
      do {
        try await reader.startOver { [through] db in
          let later = try db.transactions(after: through, matching: filter, limit: 1)
          guard later.transactions.isEmpty else { throw Behind() }
        }
        return
      } catch is Behind {}
    }
  }

  /// Fetches what the rows of a page of history name by now.
  private func fetch(after page: HistoryPage) async throws {
    for change in page.transactions.flatMap(\.changes) where concerns(change) {
      try await fetch(in: change.localIDs)
    }
  }

  private func concerns(_ change: Change) -> Bool {
    switch change.kind {
    case .insert: true
    case .update: change.fields.contains(field)
    case .delete: false
    }
  }

  private func fetch(in rows: ClosedRange<LocalID>) async throws {
    var first = rows.lowerBound.rawValue
    while true {
      let query = Query(
        className,
        where: .field("localId", .greaterThanOrEqual, .integer(first))
          && .field("localId", .lessThanOrEqual, .integer(rows.upperBound.rawValue))
          && .not(.isNull(field)),
        orderedBy: .ascending("localId"), limit: Self.pageSize)
      let records = try await coordinator.store.read { try $0.records(query) }
      try await fetch(records.compactMap(candidate))
      guard records.count == Self.pageSize, let last = records.last?.localID.rawValue,
        last < rows.upperBound.rawValue
      else { return }
      first = last + 1
    }
  }

  private func candidate(_ record: Record) -> PrefetchedFile? {
    guard case .file(let file) = record[field] else { return nil }
    return PrefetchedFile(
      className: className, localID: record.localID, field: field, file: file)
  }

  private func fetch(_ candidates: [PrefetchedFile]) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (number, candidate) in candidates.enumerated() {
        if number >= Self.width { try await group.next() }
        group.addTask { try await fetch(candidate) }
      }
      try await group.waitForAll()
    }
  }

  /// Fetches a file if it is not here and the app wants it; a failure that passes is waited out.
  private func fetch(_ candidate: PrefetchedFile) async throws {
    guard !coordinator.fileFetches.isHere(candidate.file) else { return }
    guard await mayFetch(candidate) else { return }
    var pause = PrefetchPause(first: firstPause)
    var tries = 0
    var signsAtFirstFailure: [Int64]?
    while true {
      try Task.checkCancellation()
      do throws(FileError) {
        guard coordinator.fileFetches.hasRoomToSpare else { throw .noRoom }
        _ = try await coordinator.fetchFile(candidate.file)
        return
      } catch {
        try Task.checkCancellation()
        await onFailure(candidate, error)
        tries += 1
        let signs = signsOfLife
        let serverMayBeAway = isOwn(candidate.file) && signs == signsAtFirstFailure ?? signs
        signsAtFirstFailure = signsAtFirstFailure ?? signs
        guard error.mayPass(afterTries: tries, serverMayBeAway: serverMayBeAway) else { return }
        try await rest(for: pause.take(atLeast: error.retryAfter))
      }
      guard try await isWanted(candidate) else { return }
    }
  }

  /// Changes once the server has served this device: a file, or a sync.
  private var signsOfLife: [Int64] {
    let lastSync = try? coordinator.state().lastSuccess
    return [Int64(coordinator.fileFetches.completionCount), lastSync?.milliseconds ?? 0]
  }

  /// Whether the file is one of the coordinator's server.
  private func isOwn(_ file: File) -> Bool {
    FileAddress(of: file, on: coordinator.server)?.isOwn ?? false
  }

  /// Whether the row still names the file: it may have changed during a pause.
  private func isWanted(_ candidate: PrefetchedFile) async throws -> Bool {
    try await coordinator.store.read { db in
      try db.record(of: className, localID: candidate.localID).flatMap(self.candidate) == candidate
    }
  }

  /// Waits, and no longer than until the network changes.
  private func rest(for duration: Duration) async throws {
    let changes = coordinator.environment.networkChanges()
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await Task.sleep(for: duration) }
      group.addTask { for await _ in changes { return } }
      try await group.next()
      group.cancelAll()
    }
  }
}
