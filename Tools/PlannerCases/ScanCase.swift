// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import Randomness

/// Laps of a rolling scan through a class in small parts.
enum ScanCase {
  static func check(_ chance: inout SeededGenerator) throws(BrokenLaw) {
    guard let pace = ScanPace(share: [1, 0.5, 1.0 / 7, 1.0 / 30][chance.number(below: 4)]) else {
      return
    }
    var parts: [RangeComparison.Counted] = []
    var time: Int64 = Int64(chance.number(below: 1_000))
    for _ in 0...chance.number(below: 12) {
      let next = time + 1 + Int64(chance.number(below: 1_000))
      parts.append(
        .init(
          range: Timestamp(milliseconds: time)..<Timestamp(milliseconds: next),
          local: chance.number(below: 2_000)))
      time = next
    }
    let rows = parts.reduce(0) { $0 + $1.local }
    let today = Int64(chance.number(below: 100))
    var scan = RollingScan(agreeingOn: today, as: "u1", rows: rows, pace: pace)
    var text: String { "\(parts), \(pace)" }
    try law(
      scan.due(on: today, as: "u1") == .nothing, "a class that agrees is not compared", text)
    try law(
      scan.due(on: today, as: "u2") == .everything, "another user's records are compared", text)
    scan.beginLap(parts, pace: pace)
    var end = parts[parts.count - 1].range.upperBound
    var ranges = 0
    var day = today
    while let range = scan.range {
      try law(range.upperBound == end, "the ranges of a lap leave no gap", text)
      try law(!range.isEmpty, "no range of a lap is empty", text)
      end = range.lowerBound
      ranges += 1
      let late = day + Int64(pace.days)
      try law(scan.due(on: late, as: "u1") == .range, "a range is due within the pace", text)
      try law(
        scan.on(day - 400).due(on: day - 400 + Int64(pace.days), as: "u1") == .range,
        "a clock set back delays no range", text)
      day = late
      scan.finishRange(on: day)
      try law(ranges <= pace.ranges(forRows: rows), "a lap has no more ranges than days", text)
    }
    try law(end == parts[0].range.lowerBound, "a lap covers the class", text)
  }
}
