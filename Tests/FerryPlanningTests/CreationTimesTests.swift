// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import Randomness
import Testing

@testable import FerryPlanning

@Suite struct CreationTimesTests {
  private static func time(_ second: Int) -> Timestamp {
    Timestamp(milliseconds: Int64(second) * 1000)
  }

  private static func times(_ seconds: [Int]) -> CreationTimes {
    var rows = Array(seconds.enumerated())[...]
    return CreationTimes {
      rows.popFirst().map { (LocalID(rawValue: Int64($0.offset) + 1), time($0.element)) }
    }
  }

  @Test func `rows in the order of their creation lie in few parts of the table`() {
    let times = Self.times(Array(0..<10_000))
    let ranges = [3000, 3100, 8000].map { Self.time($0)..<Self.time($0 + 50) }
    let parts = times.localIDs(createdWithin: ranges)
    #expect(parts.reduce(0) { $0 + $1.upperBound.rawValue - $1.lowerBound.rawValue } < 1500)
    let whole = times.localIDs(createdWithin: [Self.time(0)..<Self.time(10_000)])
    #expect(whole == [LocalID(rawValue: 1)...LocalID(rawValue: 10_000)])
    #expect(times.localIDs(createdWithin: [Self.time(10_000)..<Self.time(10_001)]).isEmpty)
    #expect(times.localIDs(createdWithin: []).isEmpty)
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func `no row of a range is left out in any order`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let seconds = (0..<1500).map { row in
      seed % 2 == 0 ? Int.random(in: 0..<1000, using: &generator) : row / 3 + Int(seed)
    }
    let times = Self.times(seconds)
    let cuts = (0..<6).map { _ in Int.random(in: 0...1000, using: &generator) }.sorted()
    let ranges = [(0, 1), (2, 3), (4, 5)].map { Self.time(cuts[$0])..<Self.time(cuts[$1]) }
      .filter { !$0.isEmpty }
    let parts = times.localIDs(createdWithin: ranges)
    for (row, second) in seconds.enumerated() {
      guard ranges.contains(where: { $0.contains(Self.time(second)) }) else { continue }
      let localID = LocalID(rawValue: Int64(row) + 1)
      #expect(parts.filter { $0.contains(localID) }.count == 1)
    }
    let counts = times.counts(between: [0, 100, 1100].map(Self.time))
    #expect(counts == [seconds.filter { $0 < 100 }.count, seconds.filter { $0 >= 100 }.count])
  }
}
