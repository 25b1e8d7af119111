// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryParse
import FerryPlanning
import FerryStore
import Foundation

/// The download of one class: carries out what its `SegmentedListing` decides.
struct ClassDownload {
  let entity: Entity
  /// Whether few changes are likely.
  let isUpdate: Bool
  /// Whether an earlier run left the class out.
  let hasFailed: Bool
  /// The greatest number of rows to request for a page.
  private var limit: RequestSize
  /// The same for a page of versions, whose rows are small.
  private var versionLimit: RequestSize
  /// Reads pages of versions, once there are any.
  private var versions: PageReader?
  private(set) var segments: SegmentedListing

  private let context: StageContext
  private let scope: ListingScope
  /// The listing, should none be staged.
  private let listing: Listing
  private var staged: StagedListing?
  /// Imports pages meanwhile; nil where the run imports none.
  private let importAhead: ImportAhead?

  /// Makes the download of a class.
  ///
  /// - Parameters:
  ///   - entity: The class.
  ///   - scope: The fields, filter and user of the listing.
  ///   - state: The state of the class.
  ///   - uncountedLimit: The greatest number of rows to take while the server counts none.
  ///   - staged: The pages of earlier runs that may still be imported; nil for none.
  ///   - importAhead: The import of pages meanwhile; nil for none.
  ///   - context: The run.
  init(
    _ entity: Entity, _ scope: ListingScope, _ state: ClassState, uncountedLimit: Int,
    continuing staged: StagedListing?, _ importAhead: ImportAhead?, in context: StageContext
  ) {
    self.entity = entity
    self.scope = scope
    self.context = context
    self.staged = staged
    self.importAhead = importAhead
    listing = Listing(
      id: context.environment.mintID(), className: entity.name, fingerprint: scope.fingerprint,
      uploadSequence: state.uploadSequence, previousID: state.lastImport?.listingID,
      startedAt: context.environment.now(),
      source: context.server.identity, keys: scope.keys)
    limit = RequestSize(context.options.pageSize)
    versionLimit = RequestSize(min(10 * context.options.pageSize, 10_000))
    let isSameScope = state.fingerprint == scope.fingerprint
    segments = SegmentedListing(
      after: isSameScope ? state.cursor : DownloadCursor(),
      continuing: staged?.progress ?? ListingProgress(), isCounting: !state.isCountForbidden,
      isCountTrusted: state.isCountTrusted, overlap: context.options.overlap,
      comparing: context.options.overlapComparison, uncountedLimit: uncountedLimit)
    hasFailed = state.failure != nil
    isUpdate = staged?.isComplete ?? (state.isInitialSyncDone && isSameScope)
  }

  /// The next query; nil if the listing has come to rest.
  var query: ParseQuery? {
    guard let query = segments.query else { return nil }
    let limit = query.content == .versions ? versionLimit : limit
    return query.query(keys: scope.keys, limit: limit.current, filter: scope.filter)
  }

  /// The query for the number of rows of the class; nil if the server must not be asked.
  ///
  /// With the master key, a count without a real constraint would be an estimate.
  var classCountQuery: ParseQuery? {
    guard segments.usesClassCount else { return nil }
    let all = ParseConstraint.compare("createdAt", .greaterThanOrEqual, .date(.countable))
    return ParseQuery(entity.counted(all, of: scope.filter), limit: 0, counts: true)
  }

  /// Requests half as many rows from now on; false if that is impossible.
  mutating func halveLimit() -> Bool {
    let isHalved =
      segments.query?.content == .versions ? versionLimit.halve() : limit.halve()
    guard isHalved else { return false }
    segments.pagesAreSmaller()
    return true
  }

  /// Goes on without counting.
  mutating func stopCounting() { _ = segments.stopCounting() }
}

extension ClassDownload {
  /// A response to the query.
  struct Response {
    /// The page as it arrived.
    var page: Data
    var outline: PageOutline
    var date: Date?
    var duration: Duration
    /// The number of rows of the class, if the request also counted it.
    var classCount: Int?
    /// The ids of records that the store does not have in the page's versions.
    var wanted: [String] = []
  }

  /// The continuation of a download after a staged response.
  enum Action: Equatable {
    case query
    case complete
    case stop(ListingStop)
  }

  /// The records of a page of versions that the store does not have like that; none for another page.
  mutating func wanted(on page: Data) throws(SyncError) -> Result<[String], PageError> {
    guard segments.query?.content == .versions else { return .success([]) }
    var reader = versions ?? PageReader(Entity(entity.name, fields: []))
    defer { versions = reader }
    let read: BatchPage
    do {
      read = try reader.readBatch(page)
    } catch {
      return .failure(error)
    }
    return .success(
      try context.read { [name = entity.name] reader throws(StoreError) in
        try reader.differing(read, of: name)
      })
  }

  /// Takes a response, stages it, and returns how to continue.
  mutating func take(_ response: Response) throws(SyncError) -> Action {
    let short = ListingResponse(response)
    switch segments.take(short, classCount: response.classCount) {
    case .query(let edits):
      try carryOut(edits, response, short)
      return .query
    case .complete(let edits):
      try carryOut(edits, response, short)
      return .complete
    case .stop(let stop, let edits):
      try carryOut(edits, response, short)
      return .stop(stop)
    }
  }

  private mutating func carryOut(
    _ edits: [ListingEdit], _ response: Response, _ short: ListingResponse
  ) throws(SyncError) {
    for edit in edits {
      switch edit {
      case .open(let segment):
        var staged = if let staged { staged } else { try context.staging.begin(listing) }
        staged.open(segment)
        self.staged = staged
      case .keep(let kind):
        guard var staged, let last = kind.key ?? short.last else { continue }
        try context.staging.add(
          response.page, records: short.rowCount, last: last, isWalk: kind == .walk, to: &staged)
        self.staged = staged
        tellProgress(staged.recordCount)
      case .complete(let end):
        guard var staged else { continue }
        staged.complete(end)
        self.staged = staged
      case .discard:
        importAhead?.leave(entity.name)
        try context.staging.discard(entity.name)
        staged = nil
      }
    }
    if var staged {
      try context.staging.save(&staged)
      self.staged = staged
    }
    try tellImport()
  }

  /// Lets the pages be imported, as long as the server does not give more rows than it counts.
  ///
  /// Otherwise the listing may turn out to have no end, and nothing of it is kept then.
  private func tellImport() throws(SyncError) {
    guard let importAhead, !hasFailed, segments.isWithinCount, let staged, !staged.isComplete
    else { return }
    try importAhead.pagesCame(
      .init(entity: entity, scope: scope, staged: staged, remaining: segments.remaining))
  }

  /// Whether the server is known to have another page of the class.
  var awaitsPage: Bool {
    query != nil && (segments.remaining ?? 0) >= limit.current
  }

  /// Lets a listing that has ended be imported while other classes are downloaded.
  func importAtEnd() throws(SyncError) {
    guard let importAhead, !hasFailed, !isUpdate, let staged, staged.isComplete else { return }
    try importAhead.pagesCame(
      .init(entity: entity, scope: scope, staged: staged, remaining: 0))
  }

  private func tellProgress(_ done: Int) {
    context.progress(
      .download, entity.name, done: done, of: segments.remaining.map { done + max($0, 0) })
  }
}

extension ListingResponse {
  fileprivate init(_ response: ClassDownload.Response) {
    self.init(
      rowCount: response.outline.rowCount,
      last: response.outline.lastKey.flatMap(ListingKey.init), count: response.outline.count,
      date: response.date.map { Timestamp($0) }, duration: response.duration,
      wanted: response.wanted)
  }
}

extension PageKind {
  /// The key that the page has in the order of the listing; nil for that of its last row.
  fileprivate var key: ListingKey? { if case .named(let key) = self { key } else { nil } }
}

extension ListingKey {
  /// Nil if the server's stamp is not a date.
  fileprivate init?(_ key: ParsePage.Key) {
    guard let stamp = key.version.timestamp else { return nil }
    self.init(updatedAt: stamp, objectID: key.objectID)
  }
}
