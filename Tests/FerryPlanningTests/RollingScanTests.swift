// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryTestSupport
import Randomness
import Testing

@testable import FerryPlanning

/// The laws of the rolling scan, over sorted creation times instead of a store and a server.
@Suite(.timeLimit(.minutes(3))) struct RollingScanTests {
  typealias Times = RangeComparisonTests.Times

  /// A class that changes while the scan runs, day by day.
  struct World {
    var times: [Int64] { didSet { all = Times(times) } }
    private var all: Times
    var scan: RollingScan
    var pace: ScanPace
    var day: Int64 = 20_000
    /// The compared ranges, with their rows at that time and the day.
    var compared: [(range: Range<Timestamp>, rows: Int, day: Int64)] = []

    init(_ times: [Int64], share: Double) throws {
      self.times = times
      all = Times(times)
      pace = try #require(ScanPace(share: share))
      scan = RollingScan(agreeingOn: day, as: nil, rows: times.count, pace: pace)
    }

    /// The stage's work on the class in one sync.
    mutating func sync() throws {
      scan = scan.on(day)
      guard scan.due(on: day, as: nil) == .range else { return }
      if scan.range == nil {
        let parts = try RangeComparisonTests.drill(
          local: all, remote: all, scan: true, listedSize: pace.partSize(forRows: times.count)
        ).buckets
        scan.beginLap(parts.map { .init(range: $0.range, local: $0.local) }, pace: pace)
      }
      let range = try #require(scan.range)
      compared.append((range, all.count(range), day))
      scan.finishRange(on: day)
    }
  }

  @Test(arguments: 0..<5, [3, 999, 2_600, 12_000])
  func `each row is compared once a round, whatever happens`(shape: Int, count: Int) throws {
    var random = SeededGenerator(seed: UInt64(shape * 7 + count))
    let share = [1.0 / 30, 1.0 / 7, 1, 0.4][shape % 4]
    var world = try World(RangeComparisonTests.times(shape, count, &random), share: share)
    for _ in 0..<3 {
      world.compared = []
      // Runs to the beginning of a lap.
      repeat { world.day += 1; try world.sync() } while world.compared.isEmpty
      let remote = world.times
      let begin = world.day
      while world.scan.range != nil {
        let done = world.compared.count
        try world.sync()
        try #require(world.compared.count == done, "The scan runs at most once a day.")
        // The class keeps changing, at its end and in its past.
        let more = Int.random(in: 0...count / 5, using: &random)
        world.times += RangeComparisonTests.times(
          Int.random(in: 0..<5, using: &random), more, &random)
        world.times.removeAll { _ in Int.random(in: 0..<40, using: &random) == 0 }
        world.day += 1
        try #require(world.day - begin < world.pace.days, "A lap takes no longer than its period.")
        try world.sync()
      }
      for time in Set(remote) {
        let times = world.compared.count { $0.range.contains(Timestamp(milliseconds: time)) }
        try #require(times == 1, "Compared \(times) times in a lap.")
      }
    }
  }

  @Test(arguments: 0..<2, [1.0 / 30, 1.0 / 7]) func `each day compares its share of the rows`(
    shape: Int, share: Double
  ) throws {
    var random = SeededGenerator(seed: UInt64(shape))
    for count in [10, 1_999, 2_000, 33_000] {
      var world = try World(RangeComparisonTests.times(shape, count, &random), share: share)
      let size = world.pace.rangeSize(forRows: count)
      #expect(size < 2 * ScanPace.leastRows || Double(size) <= Double(count) * share + 1)
      for _ in 0..<70 {
        world.day += 1
        try world.sync()
      }
      for part in world.compared { #expect(part.rows <= size + size / 8 + 1) }
      let rows = world.compared.reduce(0) { $0 + $1.rows }
      #expect(Double(rows) <= 1.3 * 70 * share * Double(count) + Double(size))
    }
  }

  @Test func `a small class is compared whole, once in a period`() throws {
    var world = try World(
      Array(repeating: RangeComparisonTests.end - 9, count: 300), share: 1 / 30.0)
    for _ in 0..<91 {
      world.day += 1
      try world.sync()
    }
    #expect(world.compared.map(\.day) == [20_030, 20_060, 20_090])
    #expect(
      world.compared.allSatisfy { $0.range == .countable..<RangeComparisonTests.whole.upperBound })
  }

  @Test func `the newest rows are compared first`() throws {
    var world = try World(
      (0..<9_000).map { RangeComparisonTests.end - 90_000 + $0 * 10 }, share: 0.2)
    while world.scan.range != nil || world.compared.isEmpty {
      world.day += 1
      try world.sync()
    }
    #expect(world.compared.first?.range.upperBound == RangeComparisonTests.whole.upperBound)
    for (later, earlier) in zip(world.compared, world.compared.dropFirst()) {
      #expect(earlier.range.upperBound == later.range.lowerBound)
    }
    #expect(world.compared.last?.range.lowerBound == .countable)
  }

  @Test func `a clock that jumps neither stops the scan nor floods the server`() throws {
    var random = SeededGenerator(seed: 8)
    var world = try World(RangeComparisonTests.times(0, 40_000, &random), share: 1.0 / 30)
    world.day += 1
    try world.sync()
    world.day += 365
    for _ in 0..<10 { try world.sync() }
    #expect(world.compared.count == 2)
    world.day -= 800
    for _ in 0..<10 { try world.sync() }
    #expect(world.compared.count == 2)
    world.day += 1
    try world.sync()
    #expect(world.compared.count == 3)
  }

  @Test func `a change of user makes everything due`() throws {
    let pace = try #require(ScanPace(share: 1.0 / 30))
    let scan = RollingScan(agreeingOn: 5, as: "ann", rows: 7, pace: pace)
    #expect(scan.due(on: 5, as: "ann") == .nothing)
    #expect(scan.due(on: 5, as: "bob") == .everything)
    #expect(scan.due(on: 5, as: nil) == .everything)
    #expect(scan.due(on: 35, as: "ann") == .range)
  }

  @Test(
    arguments: zip(
      [1.0 / 30, 1, 7, 0.4, 1.0 / 7, 1e-300, Double.infinity], [30, 1, 1, 2, 7, 36_500, 1]))
  func `a daily share determines the period`(share: Double, days: Int) {
    #expect(ScanPace(share: share)?.days == days)
  }

  @Test(arguments: [0, -1, -Double.infinity, .nan])
  func `a share of zero or less gives no scan`(share: Double) {
    #expect(ScanPace(share: share) == nil)
  }
}
