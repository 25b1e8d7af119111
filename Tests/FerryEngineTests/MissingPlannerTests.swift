// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryStore
import FerryTestSupport
import Testing

@testable import FerryEngine

/// The drill for differences, over sorted creation times in place of a store and a server.
@Suite(.timeLimit(.minutes(2))) struct MissingPlannerTests {
  /// A sorted list of creation times, counted by stretches.
  struct Times {
    var sorted: [Int64]

    init(_ times: [Int64]) { sorted = times.sorted() }

    func count(_ span: MissingPlanner.Span) -> Int {
      index(span.upperBound.milliseconds) - index(span.lowerBound.milliseconds)
    }

    func index(_ time: Int64) -> Int {
      var low = 0
      var high = sorted.count
      while low < high {
        let middle = (low + high) / 2
        if sorted[middle] < time { low = middle + 1 } else { high = middle }
      }
      return low
    }
  }

  struct Drill {
    var leaves: [MissingPlanner.Leaf] = []
    var localScans = 0
    var roundTrips = 0
    var countsAsked = 0
  }

  static let end: Int64 = 1_767_225_600_000
  static let whole = Timestamp.countable..<Timestamp(milliseconds: end)

  static func drill(
    here: Times, there: Times, of stretches: [MissingPlanner.Span] = [whole], sweep: Bool = false,
    listedSize: Int = MissingPlanner.sweepLeafSize
  ) throws -> Drill {
    var drill = Drill()
    var planner = MissingPlanner(
      stretches.map { .init(span: $0, here: here.count($0)) },
      there: sweep ? nil : stretches.map(there.count), listedSize: listedSize)
    for _ in 0..<200 {
      switch planner.next() {
      case .countHere(let boundaries):
        drill.localScans += 1
        let spans = zip(boundaries, boundaries.dropFirst()).map { $0..<$1 }
        planner.take(here: spans.map(here.count), between: boundaries)
      case .countThere(let spans):
        drill.roundTrips += 1
        drill.countsAsked += spans.count
        planner.take(there: spans.map(there.count))
      case .list(let leaves):
        drill.leaves += leaves
      case .done:
        return drill
      }
    }
    Issue.record("The drill did not end.")
    return drill
  }

  /// Creation times in the shapes that classes have.
  static func times(_ shape: Int, _ count: Int, _ random: inout SeededGenerator) -> [Int64] {
    let start = Timestamp.countable.milliseconds
    return (0..<count).map { number in
      switch shape {
      case 0: Int64.random(in: start..<end, using: &random)
      case 1: end - 3_600_000 + Int64.random(in: 0..<3_600_000, using: &random)
      case 2: end - 90_000_000_000 + Int64(number / 700)
      case 3: number % 3 == 0 ? Int64.random(in: start..<end, using: &random) : end - 5_000
      default: end - 7_777
      }
    }
  }

  @Test(arguments: 0..<5) func noDifferenceIsLost(shape: Int) throws {
    var random = SeededGenerator(seed: UInt64(shape))
    for count in [3, 400, 2_000, 30_000] {
      let all = Self.times(shape, count, &random)
      let here = Times(all.filter { _ in Int.random(in: 0..<200, using: &random) > 0 })
      let there = Times(all.filter { _ in Int.random(in: 0..<50, using: &random) > 0 })
      let leaves = try Self.drill(here: here, there: there).leaves
      // What the counts differ by in all, they differ by in the stretches that are listed.
      let listed = leaves.reduce(0) { $0 + $1.here - ($1.there ?? 0) }
      try #require(listed == here.sorted.count - there.sorted.count)
      for leaf in leaves {
        try #require(leaf.here == here.count(leaf.span) && leaf.there == there.count(leaf.span))
      }
    }
  }

  @Test(arguments: 0..<5) func everyDeletionIsListed(shape: Int) throws {
    var random = SeededGenerator(seed: UInt64(40 + shape))
    for count in [3, 700, 5_000, 60_000] {
      let all = Self.times(shape, count, &random)
      let gone = Set((0..<5).map { _ in Int.random(in: 0..<count, using: &random) })
      let there = Times(all.indices.compactMap { gone.contains($0) ? nil : all[$0] })
      let drill = try Self.drill(here: Times(all), there: there)
      for index in gone {
        let time = Timestamp(milliseconds: all[index])
        try #require(drill.leaves.contains { $0.span.contains(time) })
      }
      for leaf in drill.leaves {
        let isSmall = min(leaf.here, leaf.there ?? 0) <= MissingPlanner.leafSize
        try #require(isSmall || leaf.span.milliseconds <= 1)
      }
    }
  }

  @Test(arguments: [0, 1]) func thirtySevenDeletionsInAMillionCostFewCounts(shape: Int) throws {
    var random = SeededGenerator(seed: 5)
    let all = Self.times(shape, 1_000_000, &random)
    let gone = Set((0..<37).map { _ in Int.random(in: 0..<all.count, using: &random) })
    let there = Times(all.indices.compactMap { gone.contains($0) ? nil : all[$0] })
    let drill = try Self.drill(here: Times(all), there: there)
    #expect(drill.roundTrips <= 6)
    #expect(drill.localScans <= 12)
    // d · 32 · log32(n / 500), with room for parts that are not quite even.
    #expect(drill.countsAsked <= 2_000)
    #expect(drill.leaves.count <= 37)
    #expect(drill.leaves.reduce(0) { $0 + $1.here } <= 37 * (MissingPlanner.leafSize + 700))
  }

  @Test func onlyTheStretchThatDiffersIsLookedThrough() {
    let middle = Timestamp(milliseconds: Self.end - 1_000)
    let early = MissingPlanner.Counted(span: .countable..<middle, here: 90_000)
    let late = MissingPlanner.Counted(span: middle..<Self.whole.upperBound, here: 2)
    var planner = MissingPlanner([early, late], there: [90_000, 3])
    #expect(planner.next() == .list([.init(span: late.span, here: 2, there: 3)]))
    #expect(planner.next() == .done)
  }

  /// The stage divides a class at the time its listing began, and either part may be the small one.
  @Test(arguments: 0..<5) func stretchesAreListedInTheOrderOfTime(shape: Int) throws {
    var random = SeededGenerator(seed: UInt64(80 + shape))
    let all = Self.times(shape, 20_000, &random).sorted()
    for floor in [all[3], all[10_000], all[19_990]].map(Timestamp.init(milliseconds:)) {
      let gone = Set([1, 3, 777, 9_000, 10_100, 19_995])
      let there = Times(all.indices.compactMap { gone.contains($0) ? nil : all[$0] })
      let halves = [Timestamp.countable..<floor, floor..<Self.whole.upperBound]
      let leaves = try Self.drill(here: Times(all), there: there, of: halves).leaves
      for (earlier, later) in zip(leaves, leaves.dropFirst()) {
        try #require(earlier.span.upperBound <= later.span.lowerBound)
      }
      for index in gone {
        let time = Timestamp(milliseconds: all[index])
        try #require(leaves.contains { $0.span.contains(time) })
      }
    }
  }

  @Test func equalCountsAskNothing() throws {
    let times = Times([Self.end - 10, Self.end - 5])
    var planner = MissingPlanner([.init(span: Self.whole, here: 3)], there: [3])
    #expect(planner.next() == .done)
    let drill = try Self.drill(here: times, there: times)
    #expect(drill.countsAsked == 0)
  }

  @Test(arguments: 0..<5) func aSweepListsEverythingInBoundedStretches(shape: Int) throws {
    var random = SeededGenerator(seed: 11)
    let all = Times(Self.times(shape, 60_000, &random))
    let drill = try Self.drill(here: all, there: all, sweep: true)
    #expect(drill.countsAsked == 0)
    #expect(drill.leaves.first?.span.lowerBound == Self.whole.lowerBound)
    #expect(drill.leaves.last?.span.upperBound == Self.whole.upperBound)
    for (leaf, next) in zip(drill.leaves, drill.leaves.dropFirst()) {
      try #require(leaf.span.upperBound == next.span.lowerBound)
    }
    for leaf in drill.leaves {
      try #require(leaf.here == all.count(leaf.span))
      try #require(leaf.here <= MissingPlanner.sweepLeafSize || leaf.span.milliseconds <= 1)
    }
  }
}
