// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import Randomness

/// A class whose rows lie in a few bursts of time, and the comparison of its counts with the server's.
struct RangesCase {
  /// Rows of one millisecond.
  private struct Burst {
    var time: Int64
    var local: Int
    var remote: Int
  }

  private static let end: Int64 = 1 << 20
  /// More steps than any comparison needs: each divides a range into parts.
  private static let mostSteps = 100

  private let bursts: [Burst]
  private var comparison: RangeComparison
  private var listed: [RangeComparison.Bucket] = []

  static func check(_ chance: inout SeededGenerator) throws(BrokenLaw) {
    var ranges = RangesCase(&chance)
    try ranges.compare()
    try ranges.checkBuckets()
  }

  private init(_ chance: inout SeededGenerator) {
    let most = chance.pick([3, 400, 3_000])
    bursts = (0...chance.number(below: 5)).map { _ in
      let local = chance.number(below: most)
      let remote = chance.one(in: 2) ? local : max(local + chance.number(below: 5) - 2, 0)
      return Burst(
        time: Int64(chance.number(below: Int(Self.end))), local: local, remote: remote)
    }
    let middle = Timestamp(milliseconds: 1 + Int64(chance.number(below: Int(Self.end) - 1)))
    let ends = [Timestamp(milliseconds: 0), middle, Timestamp(milliseconds: Self.end)]
    let wholes =
      chance.one(in: 2) ? [ends[0]..<ends[2]] : [ends[0]..<ends[1], ends[1]..<ends[2]]
    let isCounting = !chance.one(in: 4)
    let bursts = bursts
    comparison = RangeComparison(
      wholes.map { .init(range: $0, local: Self.count(bursts, in: $0, \.local)) },
      remote: isCounting ? wholes.map { Self.count(bursts, in: $0, \.remote) } : nil,
      listedSize: 1 + chance.number(below: 2_000))
  }

  private static func count(
    _ bursts: [Burst], in range: Range<Timestamp>, _ side: KeyPath<Burst, Int>
  ) -> Int {
    var count = 0
    for burst in bursts where range.contains(Timestamp(milliseconds: burst.time)) {
      count += burst[keyPath: side]
    }
    return count
  }

  private var text: String { "\(bursts)\n\(comparison.method), listed \(listed)" }

  private mutating func compare() throws(BrokenLaw) {
    for _ in 0..<Self.mostSteps {
      switch comparison.next() {
      case .done: return
      case .list(let buckets): listed += buckets
      case .countRemote(let ranges):
        comparison.take(remote: ranges.map { Self.count(bursts, in: $0, \.remote) })
      case .countLocal(let boundaries):
        let isAscending = zip(boundaries, boundaries.dropFirst()).allSatisfy { $0 < $1 }
        try law(isAscending, "the boundaries of a count ascend", text)
        comparison.take(local: counts(between: boundaries), between: boundaries)
      }
    }
    throw BrokenLaw(sentence: "a comparison has an end", values: text)
  }

  private func counts(between boundaries: [Timestamp]) -> [Int] {
    var counts = Array(repeating: 0, count: max(boundaries.count - 1, 0))
    for burst in bursts {
      let time = Timestamp(milliseconds: burst.time)
      var (low, high) = (0, boundaries.count)
      while low < high {
        let middle = (low + high) / 2
        if boundaries[middle] <= time { low = middle + 1 } else { high = middle }
      }
      if low > 0, low < boundaries.count { counts[low - 1] += burst.local }
    }
    return counts
  }

  private func checkBuckets() throws(BrokenLaw) {
    let sorted = listed.sorted { $0.range.lowerBound < $1.range.lowerBound }
    for (bucket, next) in zip(sorted, sorted.dropFirst()) {
      try law(bucket.range.upperBound <= next.range.lowerBound, "no range is listed twice", text)
    }
    for bucket in listed {
      let local = Self.count(bursts, in: bucket.range, \.local)
      let remote = Self.count(bursts, in: bucket.range, \.remote)
      try law(bucket.local == local, "a range names its local rows", text)
      try law(bucket.remote ?? remote == remote, "a range names the server's count", text)
      try law(
        bucket.remote != bucket.local, "a range whose counts agree is not listed", text)
    }
    let left = bursts.filter { burst in
      !listed.contains { $0.range.contains(Timestamp(milliseconds: burst.time)) }
    }
    switch comparison.method {
    case .fullScan: try law(left.isEmpty, "a full scan lists each row", text)
    case .counting:
      let isEqual = left.reduce(0) { $0 + $1.local } == left.reduce(0) { $0 + $1.remote }
      try law(isEqual, "outside of the listed ranges the counts agree", text)
    }
  }
}
