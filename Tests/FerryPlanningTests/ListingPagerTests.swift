// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryTestSupport
import Randomness
import Testing

@testable import FerryPlanning
@testable import PlannerCases

@Suite(.timeLimit(.minutes(5)))
struct ListingPagerTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var seed: UInt64
    var pageLimit: Int
    var clock: ListingWorld.Clock
    var testDescription: String { "seed \(seed), pages of \(pageLimit), clock \(clock)" }

    static let all: [Case] = [1, 7, 100].flatMap { limit in
      [ListingWorld.Clock.right, .absent, .ahead, .behind].flatMap { clock in
        (0..<5).map { Case(seed: UInt64($0), pageLimit: limit, clock: clock) }
      }
    }

    /// Rows of many ages, some with equal milliseconds, with exact or finer stamps.
    func world(_ generator: inout SeededGenerator) -> ListingWorld {
      var world = ListingWorld(pageLimit: pageLimit, clock: clock)
      let groups = Int.random(in: 0...4, using: &generator)
      for _ in 0..<groups {
        let most = [1, 3, 20, min(72 * pageLimit, 500)].randomElement(using: &generator) ?? 1
        let isFine = Bool.random(using: &generator)
        let stamp = world.now - Int64.random(in: 1...1_000_000, using: &generator) * 1000
        for _ in 0..<Int.random(in: 1...most, using: &generator) {
          let more = isFine ? Int64.random(in: 0..<1000, using: &generator) : 0
          world.insert(stamp: stamp + more)
        }
      }
      world.resolve()
      return world
    }
  }

  @Test(arguments: Case.all)
  func `a listing of unchanging rows is complete and ends`(_ test: Case) {
    var generator = SeededGenerator(seed: test.seed)
    var world = test.world(&generator)
    let before = world.rows.count
    let outcome = world.list(ListingPager(from: nil, isCounting: true)) {
      $0.live(1, by: &generator)
    }
    let isEnd = outcome.isEnd
    #expect(isEnd)
    let missing = world.rows.filter { !$0.hasMoved && outcome.listed[$0.id] != $0.stamp }
    #expect(missing.isEmpty)
    // One page, at most four more for each millisecond that fills one, and the rows of the second
    // after the first answer.
    let most = 5 * (before / test.pageLimit) + 200
    #expect(world.requests <= most)
  }

  @Test(arguments: Case.all)
  func `successive listings miss no row`(_ test: Case) {
    var generator = SeededGenerator(seed: test.seed &+ 1000)
    var world = test.world(&generator)
    var cursor = DownloadCursor()
    var here: [String: Int64] = [:]
    for round in 0..<5 {
      let start = cursor.lowerBound(overlap: .seconds(2))
      let outcome = world.list(ListingPager(from: start, isCounting: true)) {
        if round < 3 { $0.live(1, by: &generator) }
      }
      let isEnd = outcome.isEnd
      #expect(isEnd)
      here.merge(outcome.listed) { $1 }
      cursor = cursor.extended(
        serverTimeLowerBound: outcome.pager.bounds.serverTimeLowerBound, listed: outcome.newest)
      world.now += Int64.random(in: 10...20_000_000, using: &generator)
      if round < 3 { world.live(Int.random(in: 0...30, using: &generator), by: &generator) }
    }
    // A bounded listing leaves later rows to the next listing; two quiet listings are enough.
    let missing = world.rows.filter { here[$0.id] != $0.stamp }
    #expect(missing.isEmpty)
  }

  @Test func `a listing goes on when the rows contradict the server's clock`() {
    var world = ListingWorld(pageLimit: 2, clock: .behind)
    for age in 1...4 { world.insert(stamp: world.now - 7_200_000_000 - Int64(age) * 1_000_000) }
    world.insert(stamp: world.now - 10_000_000)
    let first = world.list(ListingPager(from: nil, isCounting: true))
    #expect(first.listed.count == 4 && first.isEnd && first.pager.bounds.leavesNewer)
    let next = world.list(ListingPager(from: nil, isCounting: true, believesDate: false))
    #expect(next.listed.count == 5 && next.isEnd && !next.pager.bounds.leavesNewer)
  }

  @Test func `a listing goes on when a hidden newest row cannot confirm the server's clock`() {
    var world = ListingWorld(pageLimit: 1, clock: .behind)
    for age in 1...4 {
      world.insert(stamp: world.now - Int64(age) * 1_000_000, isHidden: age == 1 || age == 4)
    }
    let first = world.list(ListingPager(from: nil, isCounting: true))
    #expect(first.listed.isEmpty && first.isEnd && first.pager.bounds.leavesNewer)
    let next = world.list(ListingPager(from: nil, isCounting: true, believesDate: false))
    #expect(next.listed.count == 2 && next.isEnd && !next.pager.bounds.leavesNewer)
  }

  @Test func `late commits within the overlap arrive`() {
    var world = ListingWorld()
    for age in 1...50 { world.insert(stamp: world.now - Int64(age) * 1_000_000) }
    var cursor = DownloadCursor()
    let first = world.list(ListingPager(from: nil, isCounting: true))
    cursor = cursor.extended(
      serverTimeLowerBound: first.pager.bounds.serverTimeLowerBound, listed: first.newest)
    // The stamp is earlier than the listing, and the row appears later.
    world.insert(stamp: world.now - 80_000_000)
    let late = world.rows.map(\.id).filter { first.listed[$0] == nil }
    let start = cursor.lowerBound(overlap: .seconds(90))
    let second = world.list(ListingPager(from: start, isCounting: true))
    #expect(late.count == 1)
    #expect(late.allSatisfy { second.listed[$0] != nil })
  }

  @Test(arguments: [true, false])
  func `many rows of one microsecond arrive`(isOneOfManyStamps: Bool) {
    var world = ListingWorld(pageLimit: 1000)
    if isOneOfManyStamps {
      for age in 1...300 {
        world.insert(stamp: world.now - 9_000_000_000 - Int64(age) * 1_000_000)
      }
    }
    for _ in 0..<2500 { world.insert(stamp: world.now - 5_000_000_123) }
    world.insert(stamp: world.now - 1_000_000)
    let outcome = world.list(ListingPager(from: nil, isCounting: true), most: 12)
    let isEnd = outcome.isEnd
    #expect(isEnd)
    #expect(outcome.listed.count == world.rows.count)
  }

  @Test func `a listing without changes takes one request`() {
    var world = ListingWorld()
    world.insert(stamp: world.now - 500_000_000)
    let outcome = world.list(ListingPager(from: world.time, isCounting: true), most: 1)
    #expect(outcome.isCounted == true)
  }

  @Test func `a page that holds all rows needs no second request`() {
    var world = ListingWorld()
    for age in 1...99 { world.insert(stamp: world.now - Int64(age) * 1_000_000) }
    let outcome = world.list(ListingPager(from: nil, isCounting: true), most: 1)
    #expect(outcome.isCounted == true)
    #expect(outcome.listed.count == 99)
  }

  @Test func `an empty page ends the listing when the server refuses counting`() {
    var world = ListingWorld()
    world.countsAreRefused = true
    for age in 1...250 { world.insert(stamp: world.now - Int64(age) * 1_000_000) }
    let outcome = world.list(ListingPager(from: nil, isCounting: false), most: 5)
    #expect(outcome.isCounted == false)
    #expect(outcome.listed.count == 250)
  }

  @Test(arguments: 0..<40)
  func `rows behind hidden ones are listed`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var world = ListingWorld(pageLimit: Int.random(in: 1...6, using: &generator))
    let share = Int.random(in: 2...10, using: &generator)
    for age in 1...20 {
      world.insert(
        stamp: world.now - Int64(age) * 1_000_000,
        isHidden: Int.random(in: 0..<share, using: &generator) > 0)
    }
    world.resolve()
    var moves = 2
    let outcome = world.list(ListingPager(from: nil, isCounting: true), most: 200) {
      // A row is deleted, or changes and moves to the end, so that the later rows move up.
      guard moves > 0, Int.random(in: 0..<4, using: &generator) == 0 else { return }
      moves -= 1
      $0.now += 2_000_000
      $0.live(1, by: &generator)
    }
    let isEnd = outcome.isEnd
    #expect(isEnd)
    let missing = world.rows.filter {
      !$0.isHidden && !$0.hasMoved && outcome.listed[$0.id] != $0.stamp
    }
    #expect(missing.isEmpty)
  }

  @Test(arguments: 1...10)
  func `a row behind hidden ones is listed when a hidden one disappears`(after request: Int) {
    var world = ListingWorld(pageLimit: 2)
    // Two shown rows, four hidden ones, one shown, and four hidden ones.
    for age in 1...11 {
      let isHidden = ![5, 10, 11].contains(age)
      world.insert(stamp: world.now - Int64(age) * 1_000_000, isHidden: isHidden)
    }
    let outcome = world.list(ListingPager(from: nil, isCounting: true), most: 40) {
      if $0.requests == request { $0.removeHidden() }
    }
    let isEnd = outcome.isEnd
    #expect(isEnd)
    #expect(outcome.listed.count == 3)
  }

  @Test func `the pager does not repeat a query for a count that never comes`() {
    var pager = ListingPager(from: nil, isCounting: true)
    let action = pager.take(ListingResponse(rowCount: 0))
    #expect(action == .end(isCounted: false, keeping: nil))
  }

  @Test func `the count proves nothing when pages are empty`() {
    var world = ListingWorld(pageLimit: 3)
    for age in 1...4 { world.insert(stamp: world.now - Int64(age) * 1_000_000) }
    for age in 5...10 { world.insert(stamp: world.now - Int64(age) * 1_000_000, isHidden: true) }
    let outcome = world.list(ListingPager(from: nil, isCounting: true), most: 10)
    #expect(outcome.isCounted == false)
    #expect(outcome.listed.count == 4)
    #expect(outcome.pager.counting.hasHidden)
  }

  @Test func `too many hidden rows stop the listing`() {
    var world = ListingWorld(pageLimit: 3)
    for age in 1...4 { world.insert(stamp: world.now - Int64(age) * 1_000_000) }
    for age in 5...300 { world.insert(stamp: world.now - Int64(age) * 1_000_000, isHidden: true) }
    var outcome = world.list(ListingPager(from: nil, isCounting: true), most: 70)
    guard case .stuck(_, counted: 300) = outcome.pager.phase else {
      Issue.record("It is \(outcome.pager.phase)")
      return
    }
    _ = outcome.pager.stopCounting()
    outcome = world.list(outcome.pager, most: 10)
    #expect(outcome.isCounted == false)
    #expect(outcome.pager.bounds.serverTimeLowerBound == nil)
  }

  @Test(arguments: Case.all.filter { $0.clock == .right || $0.clock == .absent })
  func `a listing resumed at any page lists the rest`(_ test: Case) throws {
    var generator = SeededGenerator(seed: test.seed &+ 2000)
    var world = test.world(&generator)
    var pager = ListingPager(from: nil, isCounting: true)
    var listed: [String: Int64] = [:]
    var segment: ListingSegment?
    var pages: [ListingPage] = []
    // The process ends after every page.
    while let query = pager.query, world.requests < 3000 {
      let (shown, response) = world.response(to: query, limit: 1000)
      let isWalk = pager.phase.name == "walking"
      guard pager.take(response).keepsPage, let last = response.last else { continue }
      for row in shown { listed[row.id] = row.stamp }
      let stored =
        segment
        ?? ListingSegment(
          number: 1, from: nil, serverTimeLowerBound: pager.bounds.serverTimeLowerBound,
          until: pager.bounds.until)
      segment = stored
      pages.append(
        ListingPage(
          number: pages.count + 1, file: "", bytes: 0, checksum: "", records: shown.count,
          last: last, isWalk: isWalk ? true : nil))
      guard pager.query != nil else { continue }
      world.now += 3_600_000_000
      pager = try #require(ListingPager(resuming: stored, after: pages, isCounting: true))
      #expect(pager.bounds.serverTimeLowerBound == stored.serverTimeLowerBound)
    }
    #expect(pager.phase == .ended(isCounted: true))
    let missing = world.rows.filter { listed[$0.id] != $0.stamp }
    #expect(missing.isEmpty)
  }

  @Test(arguments: [
    // The same page for every query.
    [ListingKey(updatedAt: .init(milliseconds: 5), objectID: "a")],
    // Pages that go back in time.
    [
      ListingKey(updatedAt: .init(milliseconds: 9), objectID: "a"),
      ListingKey(updatedAt: .init(milliseconds: 5), objectID: "b"),
    ],
  ])
  func `responses without progress stop the listing`(_ keys: [ListingKey]) {
    var pager = ListingPager(from: nil, isCounting: true)
    for step in 0..<10 {
      guard pager.query != nil else { break }
      _ = pager.take(
        ListingResponse(
          rowCount: 1, last: keys[step % keys.count], count: 9,
          date: Timestamp(milliseconds: 100_000)))
    }
    #expect(pager.phase == .stopped(.disordered))
  }

  @Test func `pages without an end stop at a multiple of what was counted`() {
    var pager = ListingPager(from: nil, isCounting: true)
    var rows = 0
    while pager.query != nil {
      rows += 100
      let last = ListingKey(updatedAt: Timestamp(milliseconds: Int64(rows)), objectID: "a")
      let response = ListingResponse(
        rowCount: 100, last: last, count: rows == 100 ? 1_000 : nil,
        date: Timestamp(milliseconds: 100_000_000))
      _ = pager.take(response)
    }
    #expect(pager.phase == .stopped(.endless(counted: 1_000)))
    #expect(rows < 15_000)
  }

  @Test(arguments: [true, false])
  func `pages that the server never counts stop at the limit, also after a restart`(
    isCounting: Bool
  ) throws {
    func response(_ number: Int) -> ListingResponse {
      let stamp = Timestamp(milliseconds: Int64(number))
      return ListingResponse(rowCount: 100, last: ListingKey(updatedAt: stamp, objectID: "a"))
    }
    var pager = ListingPager(from: nil, isCounting: isCounting, uncountedLimit: 1_000)
    for number in 1...5 where pager.query != nil { _ = pager.take(response(number)) }
    #expect(pager.query != nil)
    let pages = (1...5).map {
      ListingPage(
        number: $0, file: "", bytes: 0, checksum: "", records: 100,
        last: ListingKey(updatedAt: Timestamp(milliseconds: Int64($0)), objectID: "a"))
    }
    var resumed = try #require(
      ListingPager(
        resuming: ListingSegment(number: 1, from: nil), after: pages, isCounting: isCounting,
        uncountedLimit: 1_000))
    for number in 6...20 { _ = resumed.take(response(number)) }
    #expect(resumed.phase == .stopped(.uncounted(1_100)))
    for number in 6...20 { _ = pager.take(response(number)) }
    #expect(pager.phase == .stopped(.uncounted(1_100)))
  }

  @Test(arguments: [true, false])
  func `rows of which none shows its place end a listing that has no others`(counts: Bool) {
    var pager = ListingPager(from: nil, isCounting: counts)
    let action = pager.take(ListingResponse(rowCount: 2, count: counts ? 2 : nil))
    #expect(action == .end(isCounted: counts, keeping: nil))
  }

  @Test func `rows of which none shows its place are passed over where others are counted`() {
    var pager = ListingPager(from: nil, isCounting: true)
    _ = pager.take(ListingResponse(rowCount: 1, count: 3))
    #expect(pager.query != nil)
  }
}
