// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryTestSupport
import Testing

@testable import FerryPlanning

/// Walks every edge of the table in the documentation of `SegmentedListing`.
@Suite struct SegmentedListingTests {
  typealias Event = ListingTransitionsTests.Event

  /// Events of a listing, and the phase after each.
  struct Walk {
    var listing = SegmentedListing(
      after: DownloadCursor(
        serverTimeLowerBound: Timestamp(milliseconds: 3), newest: Timestamp(milliseconds: 3)),
      isCounting: true, isCountTrusted: true, overlap: .zero)
    var events: [(Event, String)]
  }

  private static var resumed: SegmentedListing {
    let page = ListingPage(
      number: 1, file: "", bytes: 0, checksum: "", records: 2,
      last: ListingKey(updatedAt: Timestamp(milliseconds: 5), objectID: "a"))
    return SegmentedListing(
      after: DownloadCursor(),
      continuing: ListingProgress(
        segments: [ListingSegment(number: 1, from: nil)], pages: [page], newest: page.last.updatedAt
      ),
      isCounting: true, isCountTrusted: true, overlap: .zero)
  }

  /// The last listing has shown rows from second 10 to second 100.
  private static var comparing: SegmentedListing {
    let cursor = DownloadCursor(
      serverTimeLowerBound: Timestamp(milliseconds: 100_000),
      newest: Timestamp(milliseconds: 100_000), comparableRows: 2)
    var terms = OverlapComparison.Terms()
    terms.leastRows = 2
    return SegmentedListing(
      after: cursor, isCounting: true, isCountTrusted: true, overlap: .seconds(90),
      comparing: terms)
  }

  /// The server's clock is behind the stamps, so that a first segment leaves rows out.
  private static let fresh: [(Event, String)] = [
    (.rows(2, at: 5, count: 9), "listing fresh"), (.newest(50_000), "listing fresh"),
  ]
  private static let openingFollowUp = fresh + [(.rows(7, at: 9, count: 7), "opening follow-up")]
  private static let followUp =
    openingFollowUp + [(.rows(2, at: 50_000, count: 9), "listing follow-up")]

  static let walks: [Walk] = [
    Walk(events: [(.rows(2, at: 5, count: 2), "complete")]),
    Walk(events: [(.empty(count: 0), "complete")]),
    Walk(events: [(.rows(2, at: 1, count: 2), "stopped")]),
    Walk(events: [(.stopCounting, "opening fresh"), (.empty(), "complete")]),
    Walk(
      events: [
        (.empty(count: 3), "opening fresh"), (.newest(50_000), "opening fresh"),
        (.empties(count: 3), "opening follow-up"),
      ]),
    Walk(
      events: [
        (.empty(count: 500), "opening fresh"), (.newest(9), "opening fresh"),
        (.empties(count: 500), "stuck fresh"), (.stopCounting, "listing fresh"),
      ]),
    Walk(events: fresh + [(.rows(2, at: 4), "stopped")]),
    Walk(events: fresh + [(.stopCounting, "listing fresh"), (.rows(2, at: 7), "listing fresh")]),
    Walk(events: fresh + [(.empties(count: 500), "stuck fresh")]),
    Walk(
      events: [
        (.rows(2, at: 5, count: 9), "listing fresh"), (.newest(9), "listing fresh"),
        (.rows(7, at: 9, count: 7), "complete"),
      ]),
    Walk(events: openingFollowUp + [(.rows(2, at: 50_000, count: 2), "complete")]),
    Walk(events: openingFollowUp + [(.rows(2, at: 1, count: 2), "stopped")]),
    Walk(events: openingFollowUp + [(.stopCounting, "opening follow-up")]),
    Walk(
      events: openingFollowUp + [
        (.empty(count: 500), "opening follow-up"), (.newest(9), "opening follow-up"),
        (.empties(count: 500), "stuck follow-up"), (.stopCounting, "listing follow-up"),
      ]),
    Walk(
      events: followUp + [
        (.newest(90_000), "listing follow-up"), (.rows(7, at: 60_000, count: 7), "complete"),
      ]),
    Walk(
      events: followUp + [(.newest(90_000), "listing follow-up"), (.rows(2, at: 1), "stopped")]),
    Walk(events: followUp + [(.stopCounting, "listing follow-up")]),
    Walk(
      events: followUp + [
        (.newest(90_000), "listing follow-up"), (.empties(count: 500), "stuck follow-up"),
      ]),
    Walk(
      listing: resumed,
      events: [
        (.newest(9), "listing resumed"), (.rows(2, at: 7), "listing resumed"),
        (.rows(1, at: 9, count: 1), "opening fresh"),
      ]),
    Walk(
      listing: resumed, events: [(.newest(9), "listing resumed"), (.rows(2, at: 1), "stopped")]),
    Walk(
      listing: resumed,
      events: [
        (.stopCounting, "listing resumed"), (.newest(9), "listing resumed"),
        (.empty(), "opening fresh"),
      ]),
    Walk(
      listing: resumed,
      events: [
        (.newest(9), "listing resumed"), (.empties(count: 500), "stuck resumed"),
        (.stopCounting, "listing resumed"),
      ]),
  ]

  static let comparisons: [Walk] = [
    Walk(
      listing: comparing,
      events: [
        (.stopCounting, "opening comparison"), (.versions(2, at: 20_000), "listing comparison"),
        (.stopCounting, "listing comparison"), (.versions(2, at: 30_000), "listing comparison"),
        (.versions(1_000, at: 40_000, wanted: 1_000), "asking"), (.named(999, "x"), "asking"),
        (.stopCounting, "asking"), (.named(1, "y"), "listing comparison"),
        (.versions(2, at: 50_000, wanted: 2), "listing comparison"), (.empty(), "asking"),
        (.named(1, "z"), "asking"), (.empty(), "opening fresh"),
      ]),
    Walk(
      listing: comparing,
      events: [
        (.versions(2, at: 20_000, count: 2), "opening fresh"), (.empty(count: 0), "complete"),
      ]),
    Walk(
      listing: comparing,
      events: [
        (.empty(count: 3), "opening comparison"),
        (.versions(2, at: 20_000, count: 9, wanted: 2), "listing comparison"),
        (.versions(7, at: 30_000, count: 7), "asking"), (.named(3, "a"), "stopped"),
      ]),
    Walk(listing: comparing, events: [(.versions(2, at: 20_000, count: 2, wanted: 2), "asking")]),
    Walk(
      listing: comparing,
      events: [(.versions(1_000, at: 20_000, count: 2_000, wanted: 1_000), "asking")]),
    Walk(
      listing: comparing,
      events: [
        (.versions(2, at: 20_000, count: 9), "listing comparison"),
        (.versions(7, at: 30_000, count: 7), "opening fresh"),
      ]),
    Walk(listing: comparing, events: [(.versions(2, at: 1, count: 9), "stopped")]),
    Walk(
      listing: comparing,
      events: [
        (.versions(2, at: 20_000, count: 9), "listing comparison"),
        (.versions(2, at: 1), "stopped"),
      ]),
    Walk(listing: comparing, events: [(.empties(count: 500), "opening fresh")]),
    Walk(listing: comparing, events: [(.empty(count: 0), "opening fresh")]),
    Walk(
      listing: comparing,
      events: [
        (.versions(2, at: 20_000, count: 500), "listing comparison"),
        (.empties(count: 500), "opening fresh"),
      ]),
  ]

  @Test func `every edge of the documented table is walked, and no other`() throws {
    var walked = Set<[String]>()
    for (number, walk) in (Self.walks + Self.comparisons).enumerated() {
      var listing = walk.listing
      for (event, expected) in walk.events {
        walked.formUnion(Self.send(event, to: &listing))
        #expect(listing.phase.name == expected, "walk \(number), \(event)")
      }
    }
    let documented = try TransitionTable.edges(
      in: "Sources/FerryPlanning/Listing/SegmentedListing.swift")
    #expect(documented.subtracting(walked).map { $0.joined(separator: ", ") }.sorted() == [])
    #expect(walked.subtracting(documented).map { $0.joined(separator: ", ") }.sorted() == [])
  }

  @Test func `the first page opens the segment, and the last one completes the listing`() throws {
    var listing = SegmentedListing(
      after: DownloadCursor(), isCounting: true, isCountTrusted: true, overlap: .zero)
    guard case .complete(let edits) = listing.take(Event.rows(2, at: 5, count: 2).response) else {
      Issue.record("It is \(listing.phase)")
      return
    }
    let bounds = (Timestamp(milliseconds: 9_000), Timestamp(milliseconds: 11_000))
    let cursor = DownloadCursor(
      serverTimeLowerBound: bounds.0, newest: Timestamp(milliseconds: 5))
    #expect(
      edits == [
        .open(
          ListingSegment(number: 1, from: nil, serverTimeLowerBound: bounds.0, until: bounds.1)),
        .keep(.ordered), .complete(ListingEnd(cursor: cursor, isCounted: true, coversClass: true)),
      ])
  }

  @Test(arguments: [true, false])
  func `the class's count is kept with an empty listing only`(isEmpty: Bool) {
    var listing = Walk(events: []).listing
    let event = isEmpty ? Event.empty(count: 0) : Event.rows(1, at: 5, count: 1)
    guard case .complete(let edits) = listing.take(event.response, classCount: 7),
      case .complete(let end)? = edits.last
    else {
      Issue.record("It is \(listing.phase)")
      return
    }
    #expect(end.classCount == (isEmpty ? 7 : nil))
    #expect(!end.coversClass)
  }

  /// The edges that an event walks.
  private static func send(_ event: Event, to listing: inout SegmentedListing) -> Set<[String]> {
    var edges = Set<[String]>()
    func walk(_ name: String, _ change: (inout SegmentedListing) -> Void) {
      let from = listing.phase.name
      change(&listing)
      edges.insert([from, name, listing.phase.name])
    }
    switch event {
    case .rows, .empty, .newest, .versions, .named: walk("take") { _ = $0.take(event.response) }
    case .stopCounting: walk("stopCounting") { _ = $0.stopCounting() }
    case .empties:
      let origin = listing.phase.origin
      for _ in 0..<70 where listing.query != nil && listing.phase.origin == origin {
        walk("take") { _ = $0.take(event.response) }
      }
    }
    return edges
  }
}

extension SegmentedListing.Phase {
  fileprivate var origin: SegmentedListing.Origin? {
    switch self {
    case .opening(let origin, _), .listing(let origin), .stuck(let origin): origin
    case .asking, .complete, .stopped: nil
    }
  }

  /// The name in the table of transitions.
  fileprivate var name: String {
    switch self {
    case .opening(let origin, _): "opening \(origin.name)"
    case .listing(let origin): "listing \(origin.name)"
    case .stuck(let origin): "stuck \(origin.name)"
    case .asking: "asking"
    case .complete: "complete"
    case .stopped: "stopped"
    }
  }
}

extension SegmentedListing.Origin {
  fileprivate var name: String {
    switch self {
    case .fresh: "fresh"
    case .resumed: "resumed"
    case .followUp: "follow-up"
    case .comparison: "comparison"
    }
  }
}
