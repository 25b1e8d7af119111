// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryPlanning

/// A named reader of a store's history, whose position the store remembers.
///
/// Use it to keep something beside the store in step with it: a search index, a widget, an upload that the app makes itself. The
/// store keeps the history that the reader has not merged, for 30 days. So call `markMerged(_:)` when what a page
/// tells is safely merged, and not before.
///
/// ```swift
/// let reader = store.historyReader("search-index", matching: HistoryFilter(classNames: ["Game"]))
/// for try await page in reader.pages() {
///   for transaction in page.transactions { print(transaction.changes) }
///   try await reader.markMerged(page)
/// }
/// ```
///
/// A name belongs to one reader at a time. Any thread may call it.
public struct HistoryReader: Sendable {
  /// The name under which the store keeps the position.
  public let name: String
  /// The changes that are wanted.
  public let filter: HistoryFilter
  private let store: any Store

  init(_ name: String, filter: HistoryFilter, store: any Store) {
    self.name = name
    self.filter = filter
    self.store = store
  }

  /// The transactions that the reader has not merged, oldest first.
  ///
  /// - Parameter limit: The greatest number of transactions, at least 1.
  /// - Returns: A page; mark it as merged also if it is empty, so that the store can drop history.
  /// - Throws: `StoreError` with code `historyPruned` if the reader was away for more than 30 days, or is new when history
  ///   was dropped already, or if the store has gone back to a backup meanwhile. Then call `startOver(_:)`.
  public func unread(limit: Int = 100) throws(StoreError) -> HistoryPage {
    try page(after: nil, limit: limit)
  }

  /// Moves the reader's position to the end of a page; it never moves back.
  ///
  /// - Throws: `StoreError` with code `historyPruned` if the store has gone back to a backup since the page was read, and
  ///   with `readerRemoved` if the reader was removed since.
  public func markMerged(_ page: HistoryPage) throws(StoreError) {
    try store.write { db throws(StoreError) in
      try db.check(page, of: self)
      guard page.through > (try db.token(ofReader: name)) else { return }
      try db.setToken(page.through, ofReader: name)
    }
  }

  /// Moves the reader's position to the end of a page, without a wait on the calling thread.
  public func markMerged(_ page: HistoryPage) async throws {
    try await store.syncAccess.store.accessQueue.run(.writing) { try self.markMerged(page) }
  }

  /// Reads the tables afresh, and then moves the reader's position to the state that it has read.
  ///
  /// - Parameter body: Receives one consistent view of the rows, and merges what it reads. An error that it throws leaves
  ///   the position where it was.
  /// - Throws: `StoreError` if the store cannot be read or written, or goes back to a backup meanwhile, or if the reader
  ///   is removed meanwhile, and what the closure throws.
  public func startOver(_ body: (any StoreReader) throws -> Void) throws {
    try begin(at: read(body))
  }

  /// Returns the end of history as an empty page.
  private func read(_ body: (any StoreReader) throws -> Void) throws -> HistoryPage {
    try store.read { db in
      try body(db)
      return try db.page(after: try db.lastToken(), of: self, limit: 1)
    }
  }

  private func begin(at end: HistoryPage) throws(StoreError) {
    try store.write { db throws(StoreError) in
      try db.check(end, of: self)
      try db.setToken(end.through, ofReader: name)
    }
  }

  /// Reads the tables afresh, without a wait on the calling thread.
  ///
  /// - Parameter body: Receives one consistent view of the rows, on a thread of the store's own.
  /// - Throws: As the blocking form, and `CancellationError` if the task is cancelled before the position has moved.
  public func startOver(_ body: @escaping @Sendable (any StoreReader) throws -> Void) async throws {
    let queue = store.syncAccess.store.accessQueue
    // The closure may take long, and the store has one thread for writes.
    let end = try await queue.run(.reading) { try self.read(body) }
    try await queue.run(.writing) { try self.begin(at: end) }
  }

  /// Forgets the reader, so that it holds no history any more.
  ///
  /// Its running `pages(limit:)` and the pages that it gave before end with the error `readerRemoved`. A reader of the
  /// same name that begins later is a new one.
  public func remove() throws(StoreError) {
    try store.write { db throws(StoreError) in try db.removeReader(name) }
  }

  /// Keeps the position of a new reader: the start of history.
  func makeKnown() throws(StoreError) {
    try store.write { db throws(StoreError) in
      guard try !db.knows(self) else { return }
      try db.setToken(.start, ofReader: name)
    }
  }

  /// Pages of transactions as they come: those that are unread first, and then one for each commit that has such changes.
  ///
  /// It hears commits of this process, of syncs and of other processes. Several commits may come as one page. A reader
  /// that is slow gets fuller pages, not more of them.
  ///
  /// - Parameter limit: The greatest number of transactions in a page, at least 1.
  /// - Returns: A sequence that ends when its task is cancelled. It throws as `unread(limit:)`, and `StoreError` with code
  ///   `readerRemoved` once the reader is removed.
  public func pages(limit: Int = 100) -> StoreObservation<HistoryPage> {
    let access = store.syncAccess.store
    return StoreObservation { HistoryFollower(self, at: access, limit: limit) }
  }

  /// Moves the position over a page without transactions, if the reader has merged what came before it.
  func passOver(_ page: HistoryPage, ifMerged given: HistoryToken?, leeway: Int64)
    throws(StoreError)
  {
    let isNeeded = try store.read { db throws(StoreError) in
      let position = try db.token(ofReader: name)
      return position >= given ?? position && page.through.rawValue - position.rawValue > leeway
    }
    if isNeeded { try markMerged(page) }
  }

  /// The page behind another one; behind the reader's own position for nil.
  func page(after earlier: HistoryPage?, limit: Int) throws(StoreError) -> HistoryPage {
    try store.read { db throws(StoreError) in
      if let earlier { try db.check(earlier, of: self) }
      let start = if let earlier { earlier.through } else { try db.token(ofReader: name) }
      return try db.page(after: start, of: self, limit: limit)
    }
  }
}

extension StoreReader {
  fileprivate func knows(_ reader: HistoryReader) throws(StoreError) -> Bool {
    try historyExtent().readers[reader.name] != nil
  }

  fileprivate func page(
    after token: HistoryToken, of reader: HistoryReader, limit: Int
  ) throws(StoreError) -> HistoryPage {
    var page = try transactions(after: token, matching: reader.filter, limit: limit)
    page.isOfKnownReader = try knows(reader)
    return page
  }

  /// Checks that since a page was read, its reader is not removed, and the store has not gone back to a backup.
  fileprivate func check(_ page: HistoryPage, of reader: HistoryReader) throws(StoreError) {
    let last = try lastToken()
    let restorations = (self as? any SyncReader)?.restorations ?? page.restorations
    guard restorations == page.restorations, page.through <= last else {
      throw .historyWentBack(to: last, asked: page.through)
    }
    guard page.isOfKnownReader, try !knows(reader) else { return }
    throw .readerRemoved(reader.name)
  }
}

extension StoreError {
  fileprivate static func readerRemoved(_ name: String) -> StoreError {
    StoreError(
      .readerRemoved,
      "The reader \"\(name)\" of history was removed while it read, so no position was kept. Read no further, or begin "
        + "with its pages again as a new reader.")
  }
}

extension Store {
  /// A named reader of the store's history.
  ///
  /// - Parameters:
  ///   - name: A name of the app's choice, the same in each run of the app.
  ///   - filter: The changes that are wanted; all by default.
  /// - Returns: The reader. It reads nothing yet, and a new name begins at the start of history.
  public func historyReader(
    _ name: String, matching filter: HistoryFilter = HistoryFilter()
  ) -> HistoryReader {
    HistoryReader(name, filter: filter, store: self)
  }
}
