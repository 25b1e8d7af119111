// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryHTTP
import FerryModel
import FerryParse
import FerryPlanning
import FerryStore
import Foundation

/// The download of one class: what is staged of it, and what to ask next.
struct ClassDownload {
  enum Step: Equatable {
    case ask
    case done
    case stopped(ListingPager.Stop)
  }

  let entity: Entity
  /// The most rows of a page to ask for.
  private(set) var limit: Int
  /// Whether little is likely to have changed.
  let isUpdate: Bool

  private let context: StageContext
  private let scope: ListingScope
  private let uploadSequence: Int
  private let startedAt: Timestamp
  private var staged: StagedListing?
  private var pager: ListingPager
  /// Where the segment begins; written to disk with its first answer.
  private var start: Timestamp?
  private var isSegmentOpen = false
  /// The segment was begun by an earlier run: what changed since is listed behind it.
  private var isResumed = false
  /// The segment lists what one of this run left out.
  private var isFollowUp = false
  /// What is known without this segment.
  private var earlier: DownloadCursor
  private var isEarlierCounted = true
  private var isCountSuspected = false
  /// Whether the class's counts may prove anything.
  private let isCountBelieved: Bool

  /// Looks at what is staged; whatever may not be imported any more is discarded.
  init(_ entity: Entity, in context: StageContext) throws(SyncError) {
    let scope = try context.scope(of: entity)
    let overlap = context.options.overlap
    let state = try context.read { try $0.state(.classState(entity.name)) }
    isCountBelieved = state.countDisagreements < 2
    self.entity = entity
    self.context = context
    self.scope = scope
    limit = min(max(context.options.pageSize, 1), 10_000)
    uploadSequence = state.uploadSequence
    startedAt = context.environment.now()
    earlier = state.fingerprint == scope.fingerprint ? state.cursor : DownloadCursor()
    start = earlier.lowerBound(overlap: overlap)
    staged = try context.staging.listing(of: entity.name)
    if let found = staged, !state.accepts(found, of: scope, overlap: overlap) {
      try context.staging.discard(entity.name)
      staged = nil
    }
    var resumed: ListingPager?
    if let end = staged?.end {
      earlier = end.cursor
      isEarlierCounted = end.isCounted
      start = earlier.lowerBound(overlap: overlap)
    } else if let segment = staged?.segments.last {
      start = segment.from
      resumed = ListingPager(
        resuming: segment, after: staged?.pagesOfSegment ?? [],
        isCounting: !state.isCountForbidden)
    }
    isResumed = resumed != nil
    isSegmentOpen = isResumed
    pager = resumed ?? ListingPager(from: start, isCounting: !state.isCountForbidden)
    isUpdate =
      !isResumed
      && (staged?.isComplete ?? (state.isInitialSyncDone && state.fingerprint == scope.fingerprint))
  }

  /// What to ask now.
  var query: ParseQuery {
    pager.question.query(keys: scope.keys, limit: limit, filter: scope.filter)
  }

  /// Asks how many rows the class has; nil where the server is not asked to count it.
  ///
  /// A count without a real constraint would be an estimate, if it is made with the master key.
  var classCountQuery: ParseQuery? {
    guard pager.isCounting, isCountBelieved else { return nil }
    let all = ParseConstraint.compare("createdAt", .greaterThanOrEqual, .date(.countable))
    return ParseQuery(entity.counted(all, of: scope.filter), limit: 0, counts: true)
  }

  /// Asks for half as many rows from now on; false where that is not possible.
  mutating func halveLimit() -> Bool {
    guard limit > 1 else { return false }
    limit /= 2
    pager.pagesAreSmaller()
    return true
  }

  var isCounting: Bool { pager.isCounting }

  /// Whether rows were counted and not shown.
  var hasHidden: Bool { pager.hasHidden }

  /// Goes on without counting.
  mutating func stopCounting() { pager.stopCounting() }

  /// Goes on without counting, to see whether it was the count that was refused.
  mutating func suspectCount() {
    isCountSuspected = true
    stopCounting()
  }

  /// Whether the count had been suspected; asked once the rest was answered.
  mutating func confirmCountRefusal() -> Bool {
    defer { isCountSuspected = false }
    return isCountSuspected
  }
}

extension ClassDownload {
  /// An answer to what was asked.
  struct Reply {
    /// The page as it was received.
    var page: Data
    var outline: PageOutline
    var date: Date?
    var duration: Duration
    /// How many rows the class has, where that was asked together with it.
    var classCount: Int?
  }

  /// Takes a reply, stages it, and says how to go on.
  mutating func take(_ reply: Reply) throws(SyncError) -> Step {
    let turn = pager.take(ListingPager.Answer(reply))
    if turn.isPage, let last = reply.outline.lastKey.flatMap(ListingKey.init) {
      try edit { staging, staged throws(SyncError) in
        try staging.add(
          reply.page, records: reply.outline.rowCount, last: last, isWalk: turn.isWalk, to: &staged)
      }
      tellProgress()
    }
    switch turn.next {
    case .ask: return .ask
    case .end(let isCounted): return try end(isCounted: isCounted, reply.classCount)
    case .stop(.hidden(let count)):
      // Also without a page: the import has to see that the class's listing is not complete.
      try edit { _, _ in }
      return .stopped(.hidden(count))
    case .stop(let stop):
      try context.staging.discard(entity.name)
      return .stopped(stop)
    }
  }

  private mutating func end(isCounted: Bool, _ classCount: Int?) throws(SyncError) -> Step {
    let isCounted = isCounted && isEarlierCounted && isCountBelieved
    var cursor = earlier
    try edit { [earlier, pager] staging, staged throws(SyncError) in
      cursor = earlier.extended(
        serverTimeLowerBound: pager.isUnproven ? nil : pager.serverTimeLowerBound,
        listed: staged.newest)
      try staging.complete(
        &staged,
        ListingEnd(
          cursor: cursor, isCounted: isCounted, coversClass: staged.segments.first?.from == nil,
          classCount: staged.entries.isEmpty ? classCount : nil))
    }
    guard isResumed || pager.leavesNewer && !isFollowUp else { return .done }
    isFollowUp = !isResumed
    earlier = cursor
    isEarlierCounted = isCounted
    isResumed = false
    isSegmentOpen = false
    start = cursor.lowerBound(overlap: context.options.overlap)
    pager = ListingPager(
      from: start, isCounting: pager.isCounting, believesDate: !pager.leavesNewer)
    return .ask
  }

  /// Writes to the class's listing, which is begun with the first answer.
  private mutating func edit(
    _ change: (StagingArea, inout StagedListing) throws(SyncError) -> Void
  ) throws(SyncError) {
    var listing: StagedListing =
      if let staged { staged } else { try context.staging.begin(newListing()) }
    if !isSegmentOpen {
      let segment = ListingSegment(
        number: listing.segments.count + 1, from: start,
        serverTimeLowerBound: pager.serverTimeLowerBound, until: pager.until)
      try context.staging.open(segment, of: &listing)
      isSegmentOpen = true
    }
    try change(context.staging, &listing)
    staged = listing
  }

  private func newListing() -> Listing {
    Listing(
      id: context.environment.mintID(), className: entity.name, fingerprint: scope.fingerprint,
      uploadSequence: uploadSequence, startedAt: startedAt, source: context.server.identity,
      keys: scope.keys)
  }

  private func tellProgress() {
    guard let staged else { return }
    context.progress(
      .download, entity.name, done: staged.recordCount,
      of: pager.remaining.map { staged.recordCount + max($0, 0) })
  }
}

extension ListingPager.Answer {
  fileprivate init(_ reply: ClassDownload.Reply) {
    self.init(
      rowCount: reply.outline.rowCount, last: reply.outline.lastKey.flatMap(ListingKey.init),
      count: reply.outline.count, date: reply.date.map { Timestamp($0) }, duration: reply.duration)
  }
}

extension ListingKey {
  /// Nil where the server's stamp is no date.
  fileprivate init?(_ key: ParsePage.Key) {
    guard let stamp = key.version.timestamp else { return nil }
    self.init(updatedAt: stamp, objectID: key.objectID)
  }
}
