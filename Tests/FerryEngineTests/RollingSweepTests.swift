// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryTestSupport
import Testing

@testable import FerryEngine

/// The laws of the rolling sweep, over sorted creation times in place of a store and a server.
@Suite(.timeLimit(.minutes(3))) struct RollingSweepTests {
  typealias Times = MissingPlannerTests.Times

  /// A class that lives while it is swept, day by day.
  struct World {
    var times: [Int64] { didSet { all = Times(times) } }
    private var all: Times
    var sweep: RollingSweep
    var pace: SweepPace
    var day: Int64 = 20_000
    /// The stretches compared, with the rows they held then and the day.
    var compared: [(span: Range<Timestamp>, rows: Int, day: Int64)] = []

    init(_ times: [Int64], share: Double) throws {
      self.times = times
      all = Times(times)
      pace = try #require(SweepPace(share: share))
      sweep = RollingSweep(agreeingOn: day, as: nil, rows: times.count, pace: pace)
    }

    /// What the stage does with the class in one sync.
    mutating func sync() throws {
      sweep = sweep.on(day)
      guard sweep.due(on: day, as: nil) == .stretch else { return }
      if sweep.stretch == nil {
        let parts = try MissingPlannerTests.drill(
          here: all, there: all, sweep: true, listedSize: pace.partSize(forRows: times.count)
        ).leaves
        sweep.beginLap(parts.map { .init(span: $0.span, here: $0.here) }, pace: pace)
      }
      let span = try #require(sweep.stretch)
      compared.append((span, all.count(span), day))
      sweep.finishStretch(on: day)
    }
  }

  @Test(arguments: 0..<5, [3, 999, 2_600, 12_000])
  func eachRowIsComparedOnceALapWhateverHappens(shape: Int, count: Int) throws {
    var random = SeededGenerator(seed: UInt64(shape * 7 + count))
    let share = [1.0 / 30, 1.0 / 7, 1, 0.4][shape % 4]
    var world = try World(MissingPlannerTests.times(shape, count, &random), share: share)
    for _ in 0..<3 {
      world.compared = []
      // To the beginning of a lap.
      repeat { world.day += 1; try world.sync() } while world.compared.isEmpty
      let there = world.times
      let begin = world.day
      while world.sweep.stretch != nil {
        let done = world.compared.count
        try world.sync()
        try #require(world.compared.count == done, "At most once a day.")
        // The class goes on living: at its end, and in its past.
        let more = Int.random(in: 0...count / 5, using: &random)
        world.times += MissingPlannerTests.times(
          Int.random(in: 0..<5, using: &random), more, &random)
        world.times.removeAll { _ in Int.random(in: 0..<40, using: &random) == 0 }
        world.day += 1
        try #require(world.day - begin < world.pace.days, "A lap takes no longer than its period.")
        try world.sync()
      }
      for time in Set(there) {
        let times = world.compared.count { $0.span.contains(Timestamp(milliseconds: time)) }
        try #require(times == 1, "Compared \(times) times in a lap.")
      }
    }
  }

  @Test(arguments: 0..<2, [1.0 / 30, 1.0 / 7]) func aDayCostsItsShare(shape: Int, share: Double)
    throws
  {
    var random = SeededGenerator(seed: UInt64(shape))
    for count in [10, 1_999, 2_000, 33_000] {
      var world = try World(MissingPlannerTests.times(shape, count, &random), share: share)
      let size = world.pace.stretchSize(forRows: count)
      #expect(size < 2 * SweepPace.leastRows || Double(size) <= Double(count) * share + 1)
      for _ in 0..<70 {
        world.day += 1
        try world.sync()
      }
      for part in world.compared { #expect(part.rows <= size + size / 8 + 1) }
      let rows = world.compared.reduce(0) { $0 + $1.rows }
      #expect(Double(rows) <= 1.3 * 70 * share * Double(count) + Double(size))
    }
  }

  @Test func aSmallClassHasItsTurnOnceInAPeriodAndWhole() throws {
    var world = try World(
      Array(repeating: MissingPlannerTests.end - 9, count: 300), share: 1 / 30.0)
    for _ in 0..<91 {
      world.day += 1
      try world.sync()
    }
    #expect(world.compared.map(\.day) == [20_030, 20_060, 20_090])
    #expect(
      world.compared.allSatisfy { $0.span == .countable..<MissingPlannerTests.whole.upperBound })
  }

  @Test func theNewestRowsComeFirst() throws {
    var world = try World(
      (0..<9_000).map { MissingPlannerTests.end - 90_000 + $0 * 10 }, share: 0.2)
    while world.sweep.stretch != nil || world.compared.isEmpty {
      world.day += 1
      try world.sync()
    }
    #expect(world.compared.first?.span.upperBound == MissingPlannerTests.whole.upperBound)
    for (later, earlier) in zip(world.compared, world.compared.dropFirst()) {
      #expect(earlier.span.upperBound == later.span.lowerBound)
    }
    #expect(world.compared.last?.span.lowerBound == .countable)
  }

  @Test func aClockThatJumpsNeitherStopsNorFloods() throws {
    var random = SeededGenerator(seed: 8)
    var world = try World(MissingPlannerTests.times(0, 40_000, &random), share: 1.0 / 30)
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

  @Test func anotherUserMakesEverythingDue() throws {
    let pace = try #require(SweepPace(share: 1.0 / 30))
    let sweep = RollingSweep(agreeingOn: 5, as: "ann", rows: 7, pace: pace)
    #expect(sweep.due(on: 5, as: "ann") == .nothing)
    #expect(sweep.due(on: 5, as: "bob") == .everything)
    #expect(sweep.due(on: 5, as: nil) == .everything)
    #expect(sweep.due(on: 35, as: "ann") == .stretch)
  }

  @Test(
    arguments: zip(
      [1.0 / 30, 1, 7, 0.4, 1.0 / 7, 1e-300, Double.infinity], [30, 1, 1, 2, 7, 36_500, 1]))
  func aShareIsAPeriod(share: Double, days: Int) {
    #expect(SweepPace(share: share)?.days == days)
  }

  @Test(arguments: [0, -1, -Double.infinity, .nan]) func aShareOfNothingIsNoSweep(share: Double) {
    #expect(SweepPace(share: share) == nil)
  }
}
