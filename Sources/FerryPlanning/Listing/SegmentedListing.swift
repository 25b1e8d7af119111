// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel

/// Lists a class segment by segment until no change is left out: a state machine above the pager's.
///
/// A segment that an earlier run began lacks what changed since, so a fresh segment follows it. A
/// fresh segment leaves rows out if their stamps lie after its end; one more segment lists them.
///
/// Where the listing shows many rows once more, a comparison of their versions comes before the fresh segment. It asks
/// for the records that differ.
///
/// The names of the phases contain the origin of the segment: fresh, resumed, follow-up, or comparison.
///
/// | from | event | to |
/// | --- | --- | --- |
/// | opening fresh | `take`: no page came | opening fresh |
/// | opening fresh | `take`: a page came | listing fresh |
/// | opening fresh | `take`: the segment ends | complete |
/// | opening fresh | `take`: the segment ends and leaves newer rows out | opening follow-up |
/// | opening fresh | `take`: the listing cannot end | stopped |
/// | opening follow-up | `take`: no page came | opening follow-up |
/// | opening follow-up | `take`: a page came | listing follow-up |
/// | opening follow-up | `take`: the segment ends | complete |
/// | opening follow-up | `take`: the listing cannot end | stopped |
/// | listing fresh | `take`: the segment goes on | listing fresh |
/// | listing fresh | `take`: the segment ends | complete |
/// | listing fresh | `take`: the segment ends and leaves newer rows out | opening follow-up |
/// | listing resumed | `take`: the segment goes on | listing resumed |
/// | listing resumed | `take`: the segment ends | opening fresh |
/// | listing follow-up | `take`: the segment goes on | listing follow-up |
/// | listing follow-up | `take`: the segment ends | complete |
/// | listing fresh, listing resumed, listing follow-up | `take`: the listing cannot end | stopped |
/// | opening fresh, listing fresh | `take`: too many rows are hidden | stuck fresh |
/// | listing resumed | `take`: too many rows are hidden | stuck resumed |
/// | opening follow-up, listing follow-up | `take`: too many rows are hidden | stuck follow-up |
/// | opening comparison | `take`: no page came | opening comparison |
/// | opening comparison | `take`: a page came | listing comparison |
/// | opening comparison, listing comparison | `take`: the last page came, or none | opening fresh |
/// | opening comparison, listing comparison | `take`: enough rows differ | asking |
/// | opening comparison, listing comparison | `take`: the listing cannot end | stopped |
/// | opening comparison, listing comparison | `take`: rows are hidden, or few are shown | opening fresh |
/// | listing comparison | `take`: the segment goes on | listing comparison |
/// | asking | `take`: some records did not come yet | asking |
/// | asking | `take`: some versions did not come yet | listing comparison |
/// | asking | `take`: the last record came, or none | opening fresh |
/// | asking | `take`: other records came | stopped |
/// | asking | `stopCounting` | asking |
/// | opening comparison | `stopCounting` | opening comparison |
/// | listing comparison | `stopCounting` | listing comparison |
/// | stuck fresh | `stopCounting` | listing fresh |
/// | stuck resumed | `stopCounting` | listing resumed |
/// | stuck follow-up | `stopCounting` | listing follow-up |
/// | opening fresh | `stopCounting` | opening fresh |
/// | opening follow-up | `stopCounting` | opening follow-up |
/// | listing fresh | `stopCounting` | listing fresh |
/// | listing resumed | `stopCounting` | listing resumed |
/// | listing follow-up | `stopCounting` | listing follow-up |
package struct SegmentedListing: Equatable, Sendable {
  /// Why a segment is listed.
  package enum Origin: Equatable, Sendable {
    /// It lists what changed since the last listing.
    case fresh
    /// An earlier run began it.
    case resumed
    /// It lists the rows that another segment of this run left out.
    case followUp
    /// It compares the versions of rows that the last listing has shown.
    case comparison
  }

  package enum Phase: Equatable, Sendable {
    /// The segment's first response is under way; nothing of the segment is staged.
    case opening(Origin, from: Timestamp?)
    /// The segment is staged as far as responses came.
    case listing(Origin)
    /// Records whose versions differ are asked for by their ids.
    case asking
    /// Too many rows are hidden. The segment stays incomplete, or goes on without counting.
    case stuck(Origin)
    /// Nothing is left to list.
    case complete
    /// The responses are of no use, and nothing of them is kept.
    case stopped
  }

  /// The next effect; the edits come first, in their order.
  package enum Action: Equatable, Sendable {
    /// Send the next query, if there is one.
    case query([ListingEdit])
    /// All changes are listed.
    case complete([ListingEdit])
    /// Send nothing more.
    case stop(ListingStop, [ListingEdit])
  }

  package internal(set) var phase: Phase
  var pager: ListingPager
  /// The result of the listing without the present segment.
  var earlier: ListingEnd
  /// The comparison before the fresh segment, up to the end of that segment; nil for none.
  var comparison: OverlapComparison?
  /// Whether the next listing may compare versions.
  var isComparable = true
  /// The rows of the present segment, and of the comparison before it.
  private var recent: RecentRows
  /// The latest stamp on all pages; nil if there is no page.
  private var newest: Timestamp?
  /// The number of segments begun.
  private var segmentCount: Int
  private let overlap: Duration
  private let terms: OverlapComparison.Terms?
  private let uncountedLimit: Int

  /// Begins a listing, or continues one.
  ///
  /// - Parameters:
  ///   - cursor: The position up to which rows are imported.
  ///   - progress: The pages that earlier runs have staged.
  ///   - isCounting: Whether the server may be asked to count.
  ///   - isCountTrusted: Whether the counts of the class were right lately.
  ///   - overlap: How far each segment goes back behind the one before it.
  ///   - terms: When the listing compares versions; nil for never.
  ///   - uncountedLimit: The greatest number of rows to take while the server counts none.
  package init(
    after cursor: DownloadCursor, continuing progress: ListingProgress = ListingProgress(),
    isCounting: Bool, isCountTrusted: Bool, overlap: Duration,
    comparing terms: OverlapComparison.Terms? = nil, uncountedLimit: Int = .max
  ) {
    let cursor = progress.end?.cursor ?? cursor
    let unfinished = progress.end == nil ? progress.segments.last : nil
    let start = unfinished.map(\.from) ?? cursor.lowerBound(overlap: overlap)
    let resumed = unfinished.flatMap {
      ListingPager(
        resuming: $0, after: progress.pages, isCounting: isCounting,
        uncountedLimit: uncountedLimit)
    }
    phase = resumed == nil ? .opening(.fresh, from: start) : .listing(.resumed)
    pager =
      resumed
      ?? ListingPager(from: start, isCounting: isCounting, uncountedLimit: uncountedLimit)
    earlier = ListingEnd(
      cursor: cursor, isCounted: isCountTrusted && progress.end?.isCounted ?? true,
      coversClass: (progress.segments.first.map(\.from) ?? start) == nil)
    newest = progress.newest
    segmentCount = progress.segments.count
    recent = RecentRows(span: overlap)
    for page in resumed == nil ? [] : progress.pages {
      recent.take(page.records, through: page.last.updatedAt)
    }
    self.overlap = overlap
    self.terms = terms
    self.uncountedLimit = uncountedLimit
    // Only what was imported can be compared.
    if progress.segments.isEmpty { compare(rowsBefore: cursor, isCounting: isCounting) }
  }

  /// Begins with a comparison, if it is worth its request.
  private mutating func compare(rowsBefore cursor: DownloadCursor, isCounting: Bool) {
    guard let terms, let rows = cursor.comparableRows, rows >= terms.leastRows,
      let stamps = cursor.comparableStamps(overlap: overlap, margin: terms.margin)
    else { return }
    comparison = OverlapComparison(stamps, expecting: rows)
    phase = .opening(.comparison, from: stamps.lowerBound)
    pager = ListingPager(within: stamps, isCounting: isCounting, uncountedLimit: uncountedLimit)
  }

  /// The next query; nil if the listing has come to rest.
  package var query: ListingQuery? { isComparing ? comparingQuery : pager.query }
  package var isCounting: Bool { pager.counting.isOn }
  /// Whether a count of the whole class would prove anything.
  package var usesClassCount: Bool { isCounting && earlier.isCounted && !isComparing }
  /// Whether the server counted rows that it did not show.
  package var hasHidden: Bool { pager.counting.hasHidden }
  /// The number of rows that are left to list, if a count is known.
  package var remaining: Int? { isComparing ? nil : pager.counting.remaining }
  /// Whether the server has counted the rows of the segment, and has shown no more than it counted.
  package var isWithinCount: Bool { pager.isWithinCount }
}

// The events.
extension SegmentedListing {
  /// Takes the response to the query; a listing that has come to rest takes none.
  ///
  /// - Parameters:
  ///   - response: The response.
  ///   - classCount: The number of rows of the class, if the request also counted it.
  /// - Returns: The next effect.
  package mutating func take(_ response: ListingResponse, classCount: Int? = nil) -> Action {
    let origin: Origin
    switch phase {
    case .opening(let known, _), .listing(let known): origin = known
    case .asking: return take(records: response)
    case .stuck, .complete, .stopped: return .query([])
    }
    if origin == .comparison { comparison?.take(versions: response) }
    switch pager.take(response) {
    case .query(_, nil):
      return .query([])
    case .query(_, let page):
      let edits = continued(origin, keeping: page, response)
      return origin == .comparison ? continueComparison(edits) : .query(edits)
    case .end(let isCounted, let page):
      let edits = continued(origin, keeping: page, response)
      if origin == .comparison { return endVersions(isCounted: isCounted, edits) }
      return end(origin, isCounted: isCounted, classCount, edits)
    case .stop(.hidden) where origin == .comparison:
      return beginWithoutComparison(continued(origin, keeping: nil, response))
    case .stop(.hidden(let count)):
      // The import must see that the listing is incomplete, even if the segment has no page.
      let edits = continued(origin, keeping: nil, response)
      phase = .stuck(origin)
      return .stop(.hidden(count), edits)
    case .stop(let stop):
      phase = .stopped
      return .stop(stop, [.discard])
    }
  }

  /// The server lists the class, but its count is refused or wrong: goes on without counting.
  package mutating func stopCounting() -> Action {
    _ = pager.stopCounting()
    if case .stuck(let origin) = phase { phase = .listing(origin) }
    return .query([])
  }

  /// Pages are smaller from now on.
  package mutating func pagesAreSmaller() { pager.pagesAreSmaller() }
}

// The transitions.
extension SegmentedListing {
  /// Goes on with the segment, and returns the edits that the response brings.
  mutating func continued(
    _ origin: Origin, keeping page: PageKind?, _ response: ListingResponse
  ) -> [ListingEdit] {
    var edits: [ListingEdit] = []
    if case .opening(_, let start) = phase {
      segmentCount += 1
      edits.append(
        .open(
          ListingSegment(
            number: segmentCount, from: start, serverTimeLowerBound: serverTimeLowerBound,
            until: pager.bounds.until, comparesVersions: origin == .comparison ? true : nil)))
    }
    if let page, let last = response.last?.updatedAt {
      recent.take(response.rowCount, through: last)
      // Nothing is kept of a page of versions.
      if origin != .comparison {
        newest = max(newest ?? last, last)
        edits.append(.keep(page))
      }
    }
    phase = .listing(origin)
    return edits
  }

  /// The segment has ended.
  private mutating func end(
    _ origin: Origin, isCounted: Bool, _ classCount: Int?, _ edits: [ListingEdit]
  ) -> Action {
    earlier.cursor = earlier.cursor.extended(
      serverTimeLowerBound: serverTimeLowerBound, listed: newest)
    if let terms, isComparable {
      earlier.cursor.comparableRows = earlier.cursor
        .comparableStamps(overlap: overlap, margin: terms.margin)
        .map { recent.count(within: $0) }
    }
    earlier.isCounted = earlier.isCounted && isCounted
    var end = earlier
    end.classCount = newest == nil ? classCount : nil
    let edits = edits + [.complete(end)]
    switch origin {
    case .resumed: return begin(.fresh, edits)
    case .fresh where pager.bounds.leavesNewer: return begin(.followUp, edits)
    case .fresh, .followUp, .comparison:
      phase = .complete
      return .complete(edits)
    }
  }

  /// Begins the next segment, which shows rows before it once more.
  private mutating func begin(_ origin: Origin, _ edits: [ListingEdit]) -> Action {
    comparison = nil
    recent = RecentRows(span: overlap)
    return begin(origin, from: earlier.cursor.lowerBound(overlap: overlap), edits)
  }

  /// Begins the next segment at a stamp.
  mutating func begin(
    _ origin: Origin, from start: Timestamp?, _ edits: [ListingEdit]
  ) -> Action {
    phase = .opening(origin, from: start)
    pager = ListingPager(
      from: start, isCounting: isCounting, believesDate: !pager.bounds.leavesNewer,
      uncountedLimit: uncountedLimit)
    return .query(edits)
  }
}
