// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel

/// Chooses which range of a class is compared with the server record by record, and when.
///
/// Equal counts do not prove equal sets. A late update changes no count, and a missed record and a
/// deleted one cancel out. So the scan goes through each class in laps, from its newest records to
/// its oldest. It divides a lap into ranges when the lap begins, and the ranges do not change. So
/// each record that existed then is compared before the lap ends, even if records are inserted or
/// deleted meanwhile.
package struct RollingScan: Equatable, Sendable {
  /// How much of a class to compare now.
  package enum Part: Equatable {
    case nothing
    case range
    case everything
  }

  /// The user whose records were compared; nil for records that anybody may read.
  private let userID: String?
  /// The day of the environment's clock from which the next part is counted.
  private var day: Int64
  /// Days from one part to the next.
  private var pause: Int64
  /// The rest of the lap: ranges between neighbouring boundaries; the last range is next.
  package private(set) var boundaries: [Timestamp] = []

  /// A class that agrees with the server as a whole, because it was just listed or compared.
  package init(agreeingOn day: Int64, as userID: String?, rows: Int, pace: ScanPace?) {
    self.userID = userID
    self.day = day
    pause = pace?.pause(forRows: rows) ?? 1
  }

  /// The scan on a day, which may be earlier than days already seen: a clock that was set back must
  /// not delay the next part.
  package func on(_ day: Int64) -> RollingScan {
    var scan = self
    scan.day = min(self.day, day)
    return scan
  }

  /// The part that is due on a day.
  ///
  /// It is at most one part however many days have passed, so that a clock that jumps ahead costs
  /// no more than a day. For another user everything is due, because that user may read other
  /// records.
  package func due(on day: Int64, as userID: String?) -> Part {
    if userID != self.userID { return .everything }
    return day - self.day >= pause ? .range : .nothing
  }

  /// The next range; nil between two laps.
  package var range: Range<Timestamp>? {
    guard boundaries.count > 1 else { return nil }
    return boundaries[boundaries.count - 2]..<boundaries[boundaries.count - 1]
  }

  /// Begins a lap through a class that is given in small parts, in the order of time.
  package mutating func beginLap(_ parts: [RangeComparison.Counted], pace: ScanPace) {
    guard let first = parts.first, let last = parts.last else { return }
    let rows = parts.reduce(0) { $0 + $1.local }
    let target = pace.rangeSize(forRows: rows)
    boundaries = [first.range.lowerBound]
    var size = 0
    for part in parts.dropLast() {
      size += part.local
      guard size >= target, boundaries.count < pace.ranges(forRows: rows) else { continue }
      boundaries.append(part.range.upperBound)
      size = 0
    }
    boundaries.append(last.range.upperBound)
    pause = pace.pause(forRanges: boundaries.count - 1)
  }

  /// Notes the day on which the range was compared and its differences were handled.
  package mutating func finishRange(on day: Int64) {
    boundaries.removeLast(boundaries.count > 2 ? 1 : boundaries.count)
    self.day = day
  }
}

extension RollingScan: Note {
  package init(from json: inout JSONText) throws(JSONText.Malformed) {
    var userID: String?
    var (day, pause) = (Int64?.none, Int64?.none)
    var boundaries: [Timestamp]?
    try json.members { json, name throws(JSONText.Malformed) in
      switch name {
      case "boundaries":
        var times: [Timestamp] = []
        try json.elements { json throws(JSONText.Malformed) in times.append(try json.timestamp()) }
        boundaries = times
      case "day": day = try json.integer()
      case "pause": pause = try json.integer()
      case "userID": userID = try json.text()
      default: try json.skip()
      }
    }
    guard let day, let pause, let boundaries else { throw JSONText.Malformed() }
    (self.userID, self.day, self.pause, self.boundaries) = (userID, day, pause, boundaries)
  }

  package func write(to json: inout WireJSON) {
    json.object { json in
      json.member("boundaries") { json in
        json.raw("[")
        for (index, boundary) in boundaries.enumerated() {
          if index > 0 { json.raw(",") }
          json.write(boundary.description)
        }
        json.raw("]")
      }
      json.member("day", day)
      json.member("pause", pause)
      json.member("userID", userID)
    }
  }
}
