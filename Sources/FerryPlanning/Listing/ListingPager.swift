// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel

/// Pages through the rows of a class by key: a state machine that takes responses and says what to do.
///
/// It sends nothing and uses only the server's clock. It lists each visible row that does not change
/// during the listing, and it always ends, however the other rows change.
///
/// A response of `rows` shows the key of its last row, an `empty` one shows none. In the phase bounding,
/// the response is the `newest` row.
///
/// | from | event | to |
/// | --- | --- | --- |
/// | opening | `rows`: a page | bounding |
/// | opening | `rows`: all that the server counts | ended |
/// | opening | `rows`: older than the start | stopped |
/// | opening | `empty`: no row is counted, or nothing is | ended |
/// | opening | `empty`: rows are counted | bounding |
/// | bounding | `newest` | paging, walking, skipping |
/// | paging | `rows`: later than the page before | paging |
/// | paging | `rows`: the page ends within the millisecond of the page before | walking |
/// | paging | `rows`: the last of those that the server counts | ended |
/// | paging | `rows`: of another order, or without an end | stopped |
/// | paging | `empty`: a count is needed | paging |
/// | paging | `empty`: rows are counted | skipping |
/// | paging | `empty`: no row is counted, or nothing is | ended |
/// | walking | `rows`: a page | walking |
/// | walking | `rows`: the last of those that the server counts | paging |
/// | walking | `rows`: of another order, or without an end | stopped |
/// | walking | `empty`: a count is needed | walking |
/// | walking | `empty`: rows are counted | skipping |
/// | walking | `empty`: no row is counted, or nothing is | paging |
/// | skipping | `rows`: a page behind hidden rows | paging, walking |
/// | skipping | `rows`: the last of those that the server counts | ended, paging |
/// | skipping | `rows`: fewer are counted than before | skipping |
/// | skipping | `rows`: of another order, or without an end | stopped |
/// | skipping | `empty`: more rows are counted | skipping |
/// | skipping | `empty`: all counted rows were skipped | ended, paging |
/// | skipping | `empty`: too many rows are hidden | stuck |
/// | opening | `stopCounting` | opening |
/// | bounding | `stopCounting` | bounding |
/// | paging | `stopCounting` | paging |
/// | walking | `stopCounting` | walking |
/// | skipping, stuck | `stopCounting` | paging, walking |
package struct ListingPager: Equatable, Sendable {
  /// The purpose of the response under way.
  package indirect enum Phase: Equatable, Sendable {
    /// The first page, whose response also shows the server's time.
    ///
    /// `believesDate` says whether that time may end the listing; not if rows have contradicted it.
    case opening(from: Timestamp, believesDate: Bool)
    /// The newest row, which bounds the listing before the next phase.
    case bounding(then: Phase)
    /// A page in the order of the stamps.
    case paging(ListingQuery.Rows)
    /// A page by id of a single millisecond, after an id.
    case walking(Timestamp, after: String?)
    /// The next visible row behind rows that the server counts and does not show.
    case skipping(ListingQuery.Rows, HiddenRows)
    /// Nothing: too many rows are hidden at this place.
    case stuck(ListingQuery.Rows, counted: Int)
    /// Nothing: all rows are listed; counted if the server's count agreed.
    case ended(isCounted: Bool)
    /// Nothing: the listing cannot end.
    case stopped(ListingStop)
  }

  /// The next effect.
  package enum Action: Equatable, Sendable {
    /// Keep the response if it is a page, and send the next query.
    case query(ListingQuery, keeping: PageKind?)
    /// Keep the response if it is a page: all rows are listed.
    case end(isCounted: Bool, keeping: PageKind?)
    /// Keep nothing of the response: the listing does not come to its end.
    case stop(ListingStop)
  }

  package private(set) var phase: Phase
  package private(set) var bounds: ListingBounds
  package private(set) var counting: ListingCounting
  private var tally: PageTally
  /// Whether the server has counted the rows, and has shown no more than it counted.
  package var isWithinCount: Bool { tally.isWithinCount }

  /// Begins a segment.
  ///
  /// - Parameters:
  ///   - start: Rows with earlier stamps are left out; nil for no lower bound.
  ///   - isCounting: Whether the server may be asked to count, and is trusted.
  ///   - believesDate: Whether the server's time may end the listing.
  ///   - uncountedLimit: The greatest number of rows to take while the server counts none.
  package init(
    from start: Timestamp?, isCounting: Bool, believesDate: Bool = true, uncountedLimit: Int = .max
  ) {
    phase = .opening(from: start ?? .beforeAllStamps, believesDate: believesDate)
    bounds = ListingBounds()
    counting = ListingCounting(isOn: isCounting)
    tally = PageTally(uncountedLimit: uncountedLimit)
  }

  /// Begins a listing of the rows whose stamps lie in a range.
  package init(within stamps: Range<Timestamp>, isCounting: Bool, uncountedLimit: Int = .max) {
    phase = .paging(.from(stamps.lowerBound))
    bounds = ListingBounds(until: stamps.upperBound)
    counting = ListingCounting(isOn: isCounting)
    tally = PageTally(uncountedLimit: uncountedLimit)
  }

  /// Continues after the pages of a segment that an earlier run began; nil if it has no pages.
  package init?(
    resuming segment: ListingSegment, after pages: [ListingPage], isCounting: Bool,
    uncountedLimit: Int = .max
  ) {
    guard let page = pages.last else { return nil }
    let isStuck = pages.dropLast().last?.last.updatedAt == page.last.updatedAt
    let rows: ListingQuery.Rows =
      page.isWalk == true
      ? .millisecond(page.last.updatedAt, after: page.last.objectID)
      : isStuck ? .millisecond(page.last.updatedAt, after: nil) : .after(page.last)
    phase = .bounding(then: .listing(rows))
    bounds = ListingBounds(resuming: segment)
    counting = ListingCounting(isOn: isCounting)
    tally = PageTally(
      uncountedLimit: uncountedLimit, rows: pages.reduce(0) { $0 + $1.records })
  }

  /// The query whose response is under way; nil if the listing has come to rest.
  package var query: ListingQuery? {
    if case .query(let query, _) = action() { query } else { nil }
  }
}

// The events.
extension ListingPager {
  /// Takes the response to the query; a listing that has come to rest takes none.
  package mutating func take(_ response: ListingResponse) -> Action {
    switch phase {
    case .opening(let start, let believesDate):
      bounds.open(with: response, believesDate: believesDate)
      let (next, page) = following(.from(start), HiddenRows(), response)
      return enter(bounded(next, behind: response.last), keeping: page)
    case .bounding(let next):
      bounds.close(with: response.last)
      return enter(next)
    case .paging(let rows):
      return advance(rows, HiddenRows(), response)
    case .walking(let stamp, let objectID):
      return advance(.millisecond(stamp, after: objectID), HiddenRows(), response)
    case .skipping(let rows, let hidden):
      return advance(rows, hidden, response)
    case .stuck, .ended, .stopped:
      return action()
    }
  }

  /// The server lists the class, but its count is refused or wrong.
  ///
  /// From now on, only an empty page is the end.
  package mutating func stopCounting() -> Action {
    counting.stop()
    switch phase {
    case .skipping(let rows, _): phase = .listing(rows)
    case .bounding(.skipping(let rows, _)): phase = .bounding(then: .listing(rows))
    case .stuck(let rows, _):
      // Rows may follow the hidden ones, so the listing proves nothing about the server's time.
      bounds.serverTimeLowerBound = nil
      phase = .listing(rows)
    case .opening, .bounding, .paging, .walking, .ended, .stopped: break
    }
    return action()
  }

  /// Pages are smaller from now on.
  package mutating func pagesAreSmaller() { tally.largest = 0 }
}

// The transitions.
extension ListingPager {
  private mutating func advance(
    _ rows: ListingQuery.Rows, _ hidden: HiddenRows, _ response: ListingResponse
  ) -> Action {
    let (next, page) = following(rows, hidden, response)
    return enter(next, keeping: page)
  }

  private mutating func enter(_ next: Phase, keeping page: PageKind? = nil) -> Action {
    phase = next
    return action(keeping: page)
  }

  private func action(keeping page: PageKind? = nil) -> Action {
    switch phase {
    case .opening(let start, _): query(for: .from(start), keeping: page)
    case .bounding: .query(ListingQuery(rows: .newest, counts: false), keeping: page)
    case .paging(let rows): query(for: rows, keeping: page)
    case .walking(let stamp, let objectID):
      query(for: .millisecond(stamp, after: objectID), keeping: page)
    case .skipping(let rows, let hidden): query(for: rows, skip: hidden.skip, keeping: page)
    case .stuck(_, let counted): .stop(.hidden(counted))
    case .ended(let isCounted): .end(isCounted: isCounted, keeping: page)
    case .stopped(let stop): .stop(stop)
    }
  }

  private func query(
    for rows: ListingQuery.Rows, skip: Int = 0, keeping page: PageKind?
  ) -> Action {
    .query(
      ListingQuery(rows: rows, until: bounds.until, counts: counting.isDue, skip: skip),
      keeping: page)
  }

  /// The phase after the first page, with the query for the newest row before it.
  private mutating func bounded(_ next: Phase, behind last: ListingKey?) -> Phase {
    switch next {
    case .ended, .stopped, .stuck: return next
    case .opening, .bounding, .paging, .walking, .skipping:
      bounds.drop(dateContradictedBy: last)
      return .bounding(then: next)
    }
  }

  /// The phase after a response to a query for rows, and whether the response is a page.
  private mutating func following(
    _ rows: ListingQuery.Rows, _ hidden: HiddenRows, _ response: ListingResponse
  ) -> (Phase, keeping: PageKind?) {
    if response.rowCount > 0, let last = response.last {
      return following(rows, hidden, response, last)
    }
    // There may be rows of which none shows its place: no row to go on from.
    if response.rowCount > 0, let count = response.count, count - hidden.skip <= response.rowCount {
      return (end(of: rows, isCounted: true), nil)
    }
    return (following(nothingOf: rows, hidden, response), nil)
  }

  private mutating func following(
    _ rows: ListingQuery.Rows, _ hidden: HiddenRows, _ response: ListingResponse, _ last: ListingKey
  ) -> (Phase, keeping: PageKind?) {
    guard let next = rows.following(last) else { return (.stopped(.disordered), nil) }
    var hidden = hidden
    if let count = response.count, hidden.beginsAgain(count: count) {
      return (.skipping(rows, hidden), nil)
    }
    let isShort = response.rowCount < tally.largest
    if let stop = tally.take(response) { return (.stopped(stop), nil) }
    let page: PageKind = rows.isWalk ? .walk : .ordered
    if counting.take(response, skipped: hidden.skip) {
      return (end(of: rows, isCounted: true), page)
    }
    if next.isWalk && !rows.isWalk { counting.remaining = nil }
    counting.plan(isShort: isShort, largestPage: tally.largest)
    return (.listing(next), page)
  }

  /// The phase after a response without any row to go on from.
  private mutating func following(
    nothingOf rows: ListingQuery.Rows, _ hidden: HiddenRows, _ response: ListingResponse
  ) -> Phase {
    guard counting.isOn else { return end(of: rows, isCounted: false) }
    guard let count = response.count else {
      guard counting.isDue else {
        counting.ask()
        return .listing(rows)
      }
      // The server returns no number although it was asked to count; asking again would never end.
      counting.stop()
      return end(of: rows, isCounted: false)
    }
    guard count > 0 else { return end(of: rows, isCounted: true) }
    counting.ask()
    var hidden = hidden
    switch hidden.takeEmpty(count: count, pageSize: tally.largest) {
    case .query: return .skipping(rows, hidden)
    case .stop: return .stuck(rows, counted: count)
    case .end:
      counting.hasHidden = true
      return end(of: rows, isCounted: false)
    }
  }

  /// The phase after the last of the rows that were asked for: the end of the listing, or of a walk.
  private mutating func end(of rows: ListingQuery.Rows, isCounted: Bool) -> Phase {
    guard case .millisecond(let stamp, _) = rows else {
      return .ended(isCounted: isCounted && !counting.hasHidden)
    }
    counting.remaining = nil
    counting.ask()
    return .paging(.from(stamp.adding(milliseconds: 1)))
  }
}

extension ListingPager.Phase {
  /// The phase that lists these rows.
  fileprivate static func listing(_ rows: ListingQuery.Rows) -> Self {
    guard case .millisecond(let stamp, let objectID) = rows else { return .paging(rows) }
    return .walking(stamp, after: objectID)
  }
}

extension ListingQuery.Rows {
  fileprivate var isWalk: Bool { if case .millisecond = self { true } else { false } }

  /// The rows after a page's last one; nil if the page is not what was requested.
  fileprivate func following(_ last: ListingKey) -> ListingQuery.Rows? {
    switch self {
    case .from(let start):
      return last.updatedAt < start ? nil : .after(last)
    case .after(let previous):
      if last.updatedAt > previous.updatedAt { return .after(last) }
      // The database's stamps can be finer than those that the server sends, so a key within a
      // millisecond may not lead on. Such a millisecond is walked through by id from its start.
      return last.updatedAt == previous.updatedAt ? .millisecond(last.updatedAt, after: nil) : nil
    case .millisecond(let stamp, let previous):
      let leadsOn = last.updatedAt == stamp && last.objectID != previous
      return leadsOn ? .millisecond(stamp, after: last.objectID) : nil
    case .newest, .named:
      return nil
    }
  }
}
