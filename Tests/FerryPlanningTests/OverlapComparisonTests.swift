// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import Testing

@testable import FerryPlanning

@Suite struct OverlapComparisonTests {
  private static func second(_ number: Int64) -> Timestamp {
    Timestamp(milliseconds: 1000 * number)
  }

  private static func listing(rows: Int?, terms: OverlapComparison.Terms?) -> SegmentedListing {
    SegmentedListing(
      after: DownloadCursor(
        serverTimeLowerBound: second(100), newest: second(100), comparableRows: rows),
      isCounting: true, isCountTrusted: true, overlap: .seconds(90), comparing: terms)
  }

  @Test func `a version is proof up to the margin before the earlier witness of the last listing`()
  {
    func stamps(_ serverTime: Int64, newest: Int64) -> Range<Timestamp>? {
      DownloadCursor(serverTimeLowerBound: Self.second(serverTime), newest: Self.second(newest))
        .comparableStamps(overlap: .seconds(90), margin: .seconds(5))
    }
    #expect(stamps(100, newest: 100) == Self.second(10)..<Self.second(95))
    #expect(stamps(100, newest: 70) == Self.second(10)..<Self.second(65))
    // A server's time that is ahead: all that follows the newest row is new.
    #expect(stamps(3_700, newest: 100) == nil)
    #expect(stamps(100, newest: 3_700) == Self.second(10)..<Self.second(95))
    #expect(stamps(100, newest: 15) == nil)
  }

  @Test func `only many rows of a known number are compared`() {
    let terms = OverlapComparison.Terms()
    #expect(Self.listing(rows: 1_001, terms: terms).query?.content == .versions)
    #expect(Self.listing(rows: 1_000, terms: terms).query?.content == .records)
    #expect(Self.listing(rows: nil, terms: terms).query?.content == .records)
    #expect(Self.listing(rows: 1_001, terms: nil).query?.content == .records)
  }

  @Test func `pages that are not imported are not compared`() {
    let end = ListingEnd(
      cursor: DownloadCursor(
        serverTimeLowerBound: Self.second(100), newest: Self.second(100), comparableRows: 5_000),
      isCounted: true, coversClass: true)
    let listing = SegmentedListing(
      after: DownloadCursor(),
      continuing: ListingProgress(segments: [ListingSegment(number: 1, from: nil)], end: end),
      isCounting: true, isCountTrusted: true, overlap: .seconds(90),
      comparing: OverlapComparison.Terms())
    #expect(listing.query?.content == .records)
  }

  @Test func `the next listing begins before the comparison, and knows how much it can compare`()
    throws
  {
    var listing = Self.listing(rows: 5_000, terms: OverlapComparison.Terms())
    func take(_ rows: Int, at second: Int64, date: Int64) -> SegmentedListing.Action {
      listing.take(
        ListingResponse(
          rowCount: rows, last: ListingKey(updatedAt: Self.second(second), objectID: "a"),
          count: rows, date: Self.second(date)))
    }
    _ = take(4_000, at: 94, date: 130)
    // The segment behind it begins where it ended.
    #expect(listing.query?.rows == .from(Self.second(95)))
    guard case .complete(let edits) = take(700, at: 96, date: 150),
      case .complete(let end)? = edits.last
    else {
      Issue.record("It is \(listing.phase)")
      return
    }
    #expect(end.cursor.serverTimeLowerBound == Self.second(129))
    #expect(end.cursor.newest == Self.second(100))
    // Rows from second 39 to second 95: those of the comparison, not those behind it.
    #expect(end.cursor.comparableRows == 4_000)
  }

  @Test(arguments: [2_400, 2_500])
  func `rows are fetched as a whole if a list of versions hides most of them`(_ shown: Int) throws {
    var listing = Self.listing(rows: 5_000, terms: OverlapComparison.Terms())
    let key = ListingKey(updatedAt: Self.second(94), objectID: "a")
    let date = Self.second(130)
    _ = listing.take(ListingResponse(rowCount: shown, last: key, count: shown, date: date))
    let isBelieved = shown == 2_500
    #expect(listing.query?.rows == .from(Self.second(isBelieved ? 95 : 10)))
    guard
      case .complete(let edits) = listing.take(
        ListingResponse(rowCount: 5_000, last: key, count: 5_000, date: date)),
      case .complete(let end)? = edits.last
    else {
      #expect(isBelieved, "It is \(listing.phase)")
      return
    }
    // The next listing does not try again.
    #expect(end.cursor.comparableRows == nil)
  }

  @Test func `rows are counted by the seconds of their pages`() {
    var recent = RecentRows(span: .seconds(90))
    for second in 0..<1_000 as Range<Int64> {
      recent.take(10, through: Timestamp(milliseconds: 1000 * second + 500))
    }
    #expect(recent.count(within: Self.second(950)..<Self.second(989)) == 400)
    #expect(recent.count(within: Self.second(0)..<Self.second(900)) == 0)
  }
}
