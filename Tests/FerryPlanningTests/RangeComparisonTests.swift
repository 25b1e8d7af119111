// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryTestSupport
import Randomness
import Testing

@testable import FerryPlanning

/// The range comparison, over sorted creation times instead of a store and a server.
@Suite(.timeLimit(.minutes(2))) struct RangeComparisonTests {
  /// A sorted list of creation times, counted by ranges.
  struct Times {
    var sorted: [Int64]

    init(_ times: [Int64]) { sorted = times.sorted() }

    func count(_ range: RangeComparison.TimeRange) -> Int {
      index(range.upperBound.milliseconds) - index(range.lowerBound.milliseconds)
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
    var buckets: [RangeComparison.Bucket] = []
    var localScans = 0
    var roundTrips = 0
    var countsAsked = 0
  }

  static let end: Int64 = 1_767_225_600_000
  static let whole = Timestamp.countable..<Timestamp(milliseconds: end)

  static func drill(
    local: Times, remote: Times, of ranges: [RangeComparison.TimeRange] = [whole],
    scan: Bool = false,
    listedSize: Int? = nil
  ) throws -> Drill {
    var drill = Drill()
    var planner = RangeComparison(
      ranges.map { .init(range: $0, local: local.count($0)) },
      remote: scan ? nil : ranges.map(remote.count), listedSize: listedSize)
    for _ in 0..<200 {
      switch planner.next() {
      case .countLocal(let boundaries):
        drill.localScans += 1
        let ranges = zip(boundaries, boundaries.dropFirst()).map { $0..<$1 }
        planner.take(local: ranges.map(local.count), between: boundaries)
      case .countRemote(let ranges):
        drill.roundTrips += 1
        drill.countsAsked += ranges.count
        planner.take(remote: ranges.map(remote.count))
      case .list(let buckets):
        drill.buckets += buckets
      case .done:
        return drill
      }
    }
    Issue.record("The drill did not end.")
    return drill
  }

  /// Creation times with typical distributions.
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

  @Test(arguments: 0..<5) func `the listed ranges contain every difference`(shape: Int) throws {
    var random = SeededGenerator(seed: UInt64(shape))
    for count in [3, 400, 2_000, 30_000] {
      let all = Self.times(shape, count, &random)
      let local = Times(all.filter { _ in Int.random(in: 0..<200, using: &random) > 0 })
      let remote = Times(all.filter { _ in Int.random(in: 0..<50, using: &random) > 0 })
      let buckets = try Self.drill(local: local, remote: remote).buckets
      // The ranges that are listed contain all differences between the counts.
      let listed = buckets.reduce(0) { $0 + $1.local - ($1.remote ?? 0) }
      try #require(listed == local.sorted.count - remote.sorted.count)
      for bucket in buckets {
        try #require(
          bucket.local == local.count(bucket.range) && bucket.remote == remote.count(bucket.range))
      }
    }
  }

  @Test(arguments: 0..<5) func `every deletion is listed`(shape: Int) throws {
    var random = SeededGenerator(seed: UInt64(40 + shape))
    for count in [3, 700, 5_000, 60_000] {
      let all = Self.times(shape, count, &random)
      let gone = Set((0..<5).map { _ in Int.random(in: 0..<count, using: &random) })
      let remote = Times(all.indices.compactMap { gone.contains($0) ? nil : all[$0] })
      let drill = try Self.drill(local: Times(all), remote: remote)
      for index in gone {
        let time = Timestamp(milliseconds: all[index])
        try #require(drill.buckets.contains { $0.range.contains(time) })
      }
      for bucket in drill.buckets {
        let isSmall = min(bucket.local, bucket.remote ?? 0) <= RangeComparison.bucketSize
        try #require(isSmall || bucket.range.milliseconds <= 1)
      }
    }
  }

  @Test(arguments: [0, 1])
  func `thirty-seven deletions among a million rows cost few counts`(shape: Int) throws {
    var random = SeededGenerator(seed: 5)
    let all = Self.times(shape, 1_000_000, &random)
    let gone = Set((0..<37).map { _ in Int.random(in: 0..<all.count, using: &random) })
    let remote = Times(all.indices.compactMap { gone.contains($0) ? nil : all[$0] })
    let drill = try Self.drill(local: Times(all), remote: remote)
    #expect(drill.roundTrips <= 6)
    #expect(drill.localScans <= 12)
    // d · 32 · log32(n / 500), with some room for uneven buckets.
    #expect(drill.countsAsked <= 2_000)
    #expect(drill.buckets.count <= 37)
    #expect(drill.buckets.reduce(0) { $0 + $1.local } <= 37 * (RangeComparison.bucketSize + 700))
  }

  @Test func `only the range that differs is listed`() {
    let middle = Timestamp(milliseconds: Self.end - 1_000)
    let early = RangeComparison.Counted(range: .countable..<middle, local: 90_000)
    let late = RangeComparison.Counted(range: middle..<Self.whole.upperBound, local: 2)
    var planner = RangeComparison([early, late], remote: [90_000, 3])
    #expect(planner.next() == .list([.init(range: late.range, local: 2, remote: 3)]))
    #expect(planner.next() == .done)
  }

  /// The stage divides a class at the time when its listing began; either part may be the smaller
  /// one.
  @Test(arguments: 0..<5) func `ranges are listed in the order of time`(shape: Int) throws {
    var random = SeededGenerator(seed: UInt64(80 + shape))
    let all = Self.times(shape, 20_000, &random).sorted()
    for serverTimeLowerBound in [all[3], all[10_000], all[19_990]].map(
      Timestamp.init(milliseconds:))
    {
      let gone = Set([1, 3, 777, 9_000, 10_100, 19_995])
      let remote = Times(all.indices.compactMap { gone.contains($0) ? nil : all[$0] })
      let halves = [
        Timestamp.countable..<serverTimeLowerBound, serverTimeLowerBound..<Self.whole.upperBound,
      ]
      let buckets = try Self.drill(local: Times(all), remote: remote, of: halves).buckets
      for (earlier, later) in zip(buckets, buckets.dropFirst()) {
        try #require(earlier.range.upperBound <= later.range.lowerBound)
      }
      for index in gone {
        let time = Timestamp(milliseconds: all[index])
        try #require(buckets.contains { $0.range.contains(time) })
      }
    }
  }

  @Test func `equal counts need no further query`() throws {
    let times = Times([Self.end - 10, Self.end - 5])
    var planner = RangeComparison([.init(range: Self.whole, local: 3)], remote: [3])
    #expect(planner.next() == .done)
    let drill = try Self.drill(local: times, remote: times)
    #expect(drill.countsAsked == 0)
  }

  @Test(arguments: 0..<5) func `a full scan lists everything in bounded ranges`(shape: Int) throws {
    var random = SeededGenerator(seed: 11)
    let all = Times(Self.times(shape, 60_000, &random))
    let drill = try Self.drill(local: all, remote: all, scan: true)
    #expect(drill.countsAsked == 0)
    #expect(drill.buckets.first?.range.lowerBound == Self.whole.lowerBound)
    #expect(drill.buckets.last?.range.upperBound == Self.whole.upperBound)
    for (bucket, next) in zip(drill.buckets, drill.buckets.dropFirst()) {
      try #require(bucket.range.upperBound == next.range.lowerBound)
    }
    for bucket in drill.buckets {
      try #require(bucket.local == all.count(bucket.range))
      try #require(
        bucket.local <= RangeComparison.fullScanBucketSize || bucket.range.milliseconds <= 1)
    }
  }
}
