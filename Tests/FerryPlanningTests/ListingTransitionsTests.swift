// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryTestSupport
import Randomness
import Testing

@testable import FerryPlanning
@testable import PlannerCases

/// Walks every edge of the table in the documentation of `ListingPager`.
@Suite struct ListingTransitionsTests {
  enum Event {
    case rows(Int, at: Int64, _ id: String = "a", count: Int? = nil)
    case empty(count: Int? = nil)
    case newest(Int64)
    case stopCounting
    /// The same empty response, often.
    case empties(count: Int)
    /// A page of versions, of which some are not those of the store.
    case versions(Int, at: Int64, count: Int? = nil, wanted: Int = 0)
    /// A page of records that were asked for by id.
    case named(Int, String)
  }

  /// Events of a listing, and the phase after each.
  struct Walk {
    var pager = ListingPager(from: Timestamp(milliseconds: 3), isCounting: true)
    var events: [(Event, String)]
  }

  /// In the order of stamps, with rows left.
  private static let paging: [(Event, String)] = [
    (.rows(2, at: 5, count: 9), "bounding"), (.newest(100), "paging"),
  ]
  /// Within a millisecond that fills a page.
  private static let walking = paging + [(.rows(2, at: 5, "b"), "walking")]
  private static let skipping = paging + [(.empty(), "paging"), (.empty(count: 3), "skipping")]
  private static let skippingInWalk =
    walking + [(.empty(), "walking"), (.empty(count: 3), "skipping")]

  private static func resumed(isWalk: Bool) -> ListingPager {
    let page = ListingPage(
      number: 1, file: "", bytes: 0, checksum: "", records: 2,
      last: ListingKey(updatedAt: Timestamp(milliseconds: 5), objectID: "a"), isWalk: isWalk)
    return ListingPager(
      resuming: ListingSegment(number: 1, from: nil), after: [page], isCounting: true)
      ?? ListingPager(from: nil, isCounting: true)
  }

  static let walks: [Walk] = [
    Walk(events: [(.stopCounting, "opening"), (.empty(), "ended")]),
    Walk(events: [(.rows(2, at: 5, count: 2), "ended")]),
    Walk(events: [(.rows(2, at: 1, count: 9), "stopped")]),
    Walk(events: [(.empty(count: 0), "ended")]),
    Walk(events: [(.empty(count: 3), "bounding"), (.stopCounting, "bounding")]),
    Walk(events: [(.empty(count: 3), "bounding"), (.newest(9), "skipping")]),
    Walk(pager: resumed(isWalk: false), events: [(.newest(9), "paging")]),
    Walk(pager: resumed(isWalk: true), events: [(.newest(9), "walking")]),
    Walk(events: paging + [(.rows(2, at: 7), "paging"), (.rows(1, at: 9, count: 1), "ended")]),
    Walk(events: paging + [(.rows(2, at: 4), "stopped")]),
    Walk(events: paging + [(.empty(), "paging"), (.empty(count: 0), "ended")]),
    Walk(events: paging + [(.stopCounting, "paging"), (.empty(), "ended")]),
    Walk(
      events: walking + [
        (.rows(2, at: 5, "d"), "walking"), (.rows(1, at: 5, "e", count: 1), "paging"),
      ]
    ),
    Walk(events: walking + [(.rows(2, at: 7), "stopped")]),
    Walk(events: walking + [(.stopCounting, "walking"), (.empty(), "paging")]),
    Walk(events: skipping + [(.rows(1, at: 9, count: 3), "paging")]),
    Walk(events: skipping + [(.rows(1, at: 5, "b", count: 3), "walking")]),
    Walk(events: skipping + [(.rows(3, at: 9, count: 3), "ended")]),
    Walk(events: skipping + [(.rows(1, at: 4, count: 3), "stopped")]),
    Walk(
      events: skipping + [(.empty(count: 3), "skipping"), (.rows(1, at: 9, count: 2), "skipping")]),
    Walk(events: skipping + [(.empty(count: 3), "skipping"), (.empty(count: 3), "ended")]),
    Walk(events: skipping + [(.stopCounting, "paging")]),
    Walk(events: skipping + [(.empties(count: 500), "stuck"), (.stopCounting, "paging")]),
    Walk(events: skippingInWalk + [(.rows(3, at: 5, "d", count: 3), "paging")]),
    Walk(events: skippingInWalk + [(.empty(count: 3), "skipping"), (.empty(count: 3), "paging")]),
    Walk(events: skippingInWalk + [(.stopCounting, "walking")]),
    Walk(events: skippingInWalk + [(.empties(count: 500), "stuck"), (.stopCounting, "walking")]),
  ]

  @Test func `every edge of the documented table is walked, and no other`() throws {
    var walked = Set<[String]>()
    for (number, walk) in Self.walks.enumerated() {
      var pager = walk.pager
      for (event, expected) in walk.events {
        walked.formUnion(Self.send(event, to: &pager))
        #expect(pager.phase.name == expected, "walk \(number), \(event)")
      }
    }
    let documented = try Self.documented()
    #expect(documented.subtracting(walked).map { $0.joined(separator: ", ") }.sorted() == [])
    #expect(walked.subtracting(documented).map { $0.joined(separator: ", ") }.sorted() == [])
  }

  @Test(arguments: ListingPagerTests.Case.all)
  func `a listing of generated rows never leaves the documented table`(
    _ test: ListingPagerTests.Case
  ) throws {
    var generator = SeededGenerator(seed: test.seed)
    var world = test.world(&generator)
    let outcome = world.list(ListingPager(from: nil, isCounting: true)) {
      $0.live(1, by: &generator)
    }
    #expect(try outcome.edges.subtracting(Self.documented()).isEmpty)
  }

  static func documented() throws -> Set<[String]> {
    try TransitionTable.edges(in: "Sources/FerryPlanning/Listing/ListingPager.swift")
  }

  /// The edges that an event walks.
  private static func send(_ event: Event, to pager: inout ListingPager) -> Set<[String]> {
    switch event {
    case .rows, .empty, .newest, .versions, .named:
      return take(event.response, &pager)
    case .empties:
      var edges = Set<[String]>()
      for _ in 0..<70 where pager.query != nil { edges.formUnion(take(event.response, &pager)) }
      return edges
    case .stopCounting:
      let from = pager.phase.name
      _ = pager.stopCounting()
      return [[from, "stopCounting", pager.phase.name]]
    }
  }

  private static func take(
    _ response: ListingResponse, _ pager: inout ListingPager
  ) -> Set<[String]> {
    let from = pager.phase.name
    _ = pager.take(response)
    return [[from, response.event(in: from), pager.phase.name]]
  }
}

extension ListingTransitionsTests.Event {
  var response: ListingResponse {
    let date = Timestamp(milliseconds: 10_000)
    switch self {
    case .rows(let rowCount, let stamp, let id, let count):
      let last = ListingKey(updatedAt: Timestamp(milliseconds: stamp), objectID: id)
      return ListingResponse(rowCount: rowCount, last: last, count: count, date: date)
    case .newest(let stamp):
      let last = ListingKey(updatedAt: Timestamp(milliseconds: stamp), objectID: "z")
      return ListingResponse(rowCount: 1, last: last, date: date)
    case .empty(let count):
      return ListingResponse(rowCount: 0, count: count, date: date)
    case .empties(let count):
      return ListingResponse(rowCount: 0, count: count, date: date)
    case .versions(let rowCount, let stamp, let count, let wanted):
      let last = ListingKey(updatedAt: Timestamp(milliseconds: stamp), objectID: "a")
      return ListingResponse(
        rowCount: rowCount, last: last, count: count, date: date,
        wanted: (0..<wanted).map { "\(stamp)-\($0)" })
    case .named(let rowCount, let id):
      let last = ListingKey(updatedAt: Timestamp(milliseconds: 1), objectID: id)
      return ListingResponse(rowCount: rowCount, last: last, date: date)
    case .stopCounting:
      return ListingResponse(rowCount: 0)
    }
  }
}
