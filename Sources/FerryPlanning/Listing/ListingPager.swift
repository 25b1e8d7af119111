// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel

/// Pages through the rows of a class by key: answers in, next question out.
///
/// It sends nothing and knows no clock but the server's. What it promises: each row that is shown and
/// does not change while it lists is listed, and it comes to an end however the others change.
package struct ListingPager: Equatable, Sendable {
  /// What an answer showed.
  package struct Answer: Equatable, Sendable {
    package var rowCount: Int
    /// The last row's place; nil where there is none, or where the row does not show it.
    package var last: ListingKey?
    /// How many rows match the question, where that was asked.
    package var count: Int?
    /// When the answer was sent, by the server's clock in whole seconds.
    package var date: Timestamp?
    /// How long the exchange took.
    package var duration: Duration = .zero

    package init(
      rowCount: Int, last: ListingKey? = nil, count: Int? = nil, date: Timestamp? = nil,
      duration: Duration = .zero
    ) {
      self.rowCount = rowCount
      self.last = last
      self.count = count
      self.date = date
      self.duration = duration
    }
  }

  /// What to do with an answer, and what comes next.
  package struct Turn: Equatable, Sendable {
    /// The reply is a page of the listing.
    package var isPage = false
    /// The page is one of a walk through a single millisecond.
    package var isWalk = false
    package var next: Next
  }

  package enum Next: Equatable, Sendable {
    case ask(ListingQuery)
    /// All is listed; counted if the server's count agreed.
    case end(isCounted: Bool)
    case stop(Stop)
  }

  /// Why a listing cannot come to its end.
  package enum Stop: Equatable, Sendable {
    /// More empty pages than are worth asking for, although that many rows match.
    case hidden(Int)
    /// Rows that were not asked for, or again those that were there.
    case disordered
    /// Far more rows than the server counted.
    case endless(counted: Int)
  }

  package private(set) var rows: ListingQuery.Rows
  package private(set) var until: Timestamp?
  /// The server's time before it put together the first answer; nil where it did not say.
  package private(set) var serverTimeLowerBound: Timestamp?
  /// Rows were there already that are stamped after its end: the server's clock is not that of its
  /// stamps.
  package private(set) var leavesNewer = false
  /// Whether the server is asked to count, and believed.
  package private(set) var isCounting: Bool

  /// Whether the server's time may end the listing; not where its rows have belied it.
  private let believesDate: Bool

  private var isFirstAnswer: Bool
  private var isAskingNewest = false
  private var counts: Bool
  private var largestPage = 0
  /// How many rows pages may show until they are taken for endless, from the first count on.
  private var ceiling: Int?
  private var listed = 0
  /// How many rows are left behind those listed, as far as a count told.
  package private(set) var remaining: Int?
  private var hidden = HiddenRows()
  /// Rows were counted that were not shown, so that the count proves nothing.
  package private(set) var hasHidden = false
  /// It was stopped among hidden rows: there may be others behind its end.
  package private(set) var isUnproven = false

  /// Begins a segment.
  ///
  /// - Parameters:
  ///   - start: Rows stamped earlier are left out; nil for none.
  ///   - isCounting: Whether the server may be asked to count, and is believed.
  ///   - believesDate: Whether the server's time may end the listing.
  package init(from start: Timestamp?, isCounting: Bool, believesDate: Bool = true) {
    rows = .from(start ?? .beforeAllStamps)
    self.believesDate = believesDate
    isFirstAnswer = true
    self.isCounting = isCounting
    counts = isCounting
  }

  /// Goes on behind the pages of a segment that an earlier run began; nil where it has none.
  package init?(resuming segment: ListingSegment, after pages: [ListingPage], isCounting: Bool) {
    guard let page = pages.last else { return nil }
    let isStuck = pages.dropLast().last?.last.updatedAt == page.last.updatedAt
    rows =
      page.isWalk == true
      ? .millisecond(page.last.updatedAt, after: page.last.objectID)
      : isStuck ? .millisecond(page.last.updatedAt, after: nil) : .after(page.last)
    until = segment.until
    believesDate = until != nil
    serverTimeLowerBound = segment.serverTimeLowerBound
    isFirstAnswer = false
    isAskingNewest = true
    self.isCounting = isCounting
    counts = isCounting
  }

  /// What is to be asked now.
  package var question: ListingQuery {
    isAskingNewest
      ? ListingQuery(rows: .newest, counts: false)
      : ListingQuery(rows: rows, until: until, counts: counts, skip: hidden.skip)
  }

  /// The server lists the class but its count is refused or wrong: from now on an empty page alone is
  /// the end.
  package mutating func stopCounting() {
    isCounting = false
    counts = false
    hidden = HiddenRows()
  }

  /// Smaller pages are asked for from now on.
  package mutating func pagesAreSmaller() { largestPage = 0 }

  /// Takes the answer to the question.
  package mutating func take(_ answer: Answer) -> Turn {
    guard !isAskingNewest else { return takeNewest(answer) }
    let isFirst = isFirstAnswer
    if isFirst { begin(answer) }
    guard answer.rowCount > 0 else { return Turn(next: takeEmpty(answer, isFirst: isFirst)) }
    guard answer.last != nil else { return Turn(next: takeUnplaced(answer, isFirst: isFirst)) }
    return takePage(answer, isFirst: isFirst)
  }

  private static let second: Int64 = 1000
}

extension ListingPager {
  /// The `Date` of an answer is put on it at its end, and cut to whole seconds.
  private mutating func begin(_ answer: Answer) {
    isFirstAnswer = false
    serverTimeLowerBound = answer.date?.adding(
      milliseconds: -answer.duration.milliseconds - Self.second)
    until = believesDate ? answer.date?.adding(milliseconds: Self.second) : nil
  }

  /// Takes rows of which none shows its place: there is no row to go on from.
  private mutating func takeUnplaced(_ answer: Answer, isFirst: Bool) -> Next {
    if let count = answer.count, count - hidden.skip <= answer.rowCount {
      return nothingLeft(isCounted: true)
    }
    return takeEmpty(answer, isFirst: isFirst)
  }

  private mutating func takePage(_ answer: Answer, isFirst: Bool) -> Turn {
    guard let last = answer.last, let next = rows(behind: last) else {
      return Turn(next: .stop(.disordered))
    }
    if let count = answer.count, hidden.beginsAgain(count: count) {
      return Turn(next: .ask(question))
    }
    if let counted = noteCeiling(answer) { return Turn(next: .stop(.endless(counted: counted))) }
    var turn = Turn(isPage: true, isWalk: rows.isWalk, next: .ask(question))
    let left = (answer.count.map { $0 - hidden.skip } ?? remaining).map { $0 - answer.rowCount }
    let isShort = answer.rowCount < largestPage
    largestPage = max(largestPage, answer.rowCount)
    remaining = left
    if hidden.skip > 0 { hasHidden = true }
    hidden = HiddenRows()
    if answer.count != nil, let left, left <= 0 {
      // The count that came with it says that this page is all there is.
      turn.next = nothingLeft(isCounted: true)
      return turn
    }
    if next.isWalk && !rows.isWalk { remaining = nil }
    rows = next
    counts = isCounting && (isShort || remaining.map { $0 <= largestPage } ?? false)
    if isFirst { bound(behind: last) }
    turn.next = .ask(question)
    return turn
  }

  /// Counts the rows of a page; the number the server had counted, where they are far more.
  ///
  /// A millisecond that fills a page is listed up to three times.
  private mutating func noteCeiling(_ answer: Answer) -> Int? {
    listed += answer.rowCount
    if ceiling == nil, let count = answer.count {
      ceiling = listed + Self.mostRepeated * count + Self.fewRows
    }
    guard let ceiling, listed > ceiling else { return nil }
    return (ceiling - Self.fewRows) / Self.mostRepeated
  }

  private static let mostRepeated = 4
  private static let fewRows = 10_000

  /// The rows behind a page's last one; nil if the page is not what was asked for.
  private func rows(behind last: ListingKey) -> ListingQuery.Rows? {
    switch rows {
    case .from(let start):
      return last.updatedAt < start ? nil : .after(last)
    case .after(let previous):
      if last.updatedAt > previous.updatedAt { return .after(last) }
      // Stamps can be finer than what the server shows of them, so that a key within a
      // millisecond may not lead on: such a millisecond is walked through by id from its start.
      return last.updatedAt == previous.updatedAt ? .millisecond(last.updatedAt, after: nil) : nil
    case .millisecond(let stamp, let previous):
      let leadsOn = last.updatedAt == stamp && last.objectID != previous
      return leadsOn ? .millisecond(stamp, after: last.objectID) : nil
    case .newest:
      return nil
    }
  }

  /// A listing of more than a page needs an end, or rows that keep changing would keep it going.
  ///
  /// Either canary may fail: the `Date` may be absent or a wrong clock's, one row may bear a stamp of
  /// the future. The earlier of the two bounds it, but for a `Date` that rows already listed belie.
  private mutating func bound(behind last: ListingKey) {
    if let date = until, last.updatedAt >= date { until = nil }
    isAskingNewest = true
  }

  private mutating func takeNewest(_ answer: Answer) -> Turn {
    isAskingNewest = false
    let newest = answer.last?.updatedAt.adding(milliseconds: 1)
    if let newest, let date = until { leavesNewer = newest > date }
    until = [until, newest].compactMap(\.self).min()
    return Turn(next: .ask(question))
  }

  private mutating func takeEmpty(_ answer: Answer, isFirst: Bool) -> Next {
    guard isCounting else { return nothingLeft(isCounted: false) }
    guard let count = answer.count else {
      guard counts else {
        counts = true
        return .ask(question)
      }
      // Asked to count, it gives no number: asking again would go on for ever.
      stopCounting()
      return nothingLeft(isCounted: false)
    }
    guard count > 0 else { return nothingLeft(isCounted: true) }
    counts = true
    if isFirst { isAskingNewest = true }
    switch hidden.takeEmpty(count: count, pageSize: largestPage) {
    case .ask:
      return .ask(question)
    case .end:
      hasHidden = true
      return nothingLeft(isCounted: false)
    case .stop:
      isUnproven = true
      return .stop(.hidden(count))
    }
  }

  /// The rows asked for are all listed: the end, or that of a walk.
  private mutating func nothingLeft(isCounted: Bool) -> Next {
    hidden = HiddenRows()
    guard case .millisecond(let stamp, _) = rows else {
      return .end(isCounted: isCounted && !hasHidden)
    }
    rows = .from(stamp.adding(milliseconds: 1))
    remaining = nil
    counts = isCounting
    return .ask(question)
  }
}

extension ListingQuery.Rows {
  fileprivate var isWalk: Bool { if case .millisecond = self { true } else { false } }
}
