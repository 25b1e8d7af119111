// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel

/// Which part of a class is compared with the server record by record, whatever the counts say, and
/// when the next one is.
///
/// Equal counts are not equal sets: a late update changes none, and a record missed here and another
/// one deleted there cancel out. So a class is gone through in laps, from its newest records to its
/// oldest. A lap is cut into ranges when it begins, and they stay as they are: whatever is
/// inserted or deleted meanwhile, each record that was there is compared before the lap is over.
package struct RollingScan: Codable, Equatable {
  /// How much of a class is to be compared now.
  package enum Part: Equatable {
    case nothing
    case range
    case everything
  }

  /// Whose records were compared; nil for those that anybody may read.
  private let userID: String?
  /// The day of the environment's clock that the next part is reckoned from.
  private var day: Int64
  /// Days from one part to the next.
  private var pause: Int64
  /// What is left of the lap: ranges between neighbouring boundaries, the last of them next.
  package private(set) var boundaries: [Timestamp] = []

  /// A class that agrees with the server as a whole, because it was just listed or compared.
  package init(agreeingOn day: Int64, as userID: String?, rows: Int, pace: ScanPace?) {
    self.userID = userID
    self.day = day
    pause = pace?.pause(forRows: rows) ?? 1
  }

  /// The same on a day, which may come before those already seen: a clock that was set back must not
  /// put the next part off for as long.
  package func on(_ day: Int64) -> RollingScan {
    var scan = self
    scan.day = min(self.day, day)
    return scan
  }

  /// What is due on a day: at most one part however many days have passed, so that a clock that
  /// jumps ahead costs no more than a day does.
  ///
  /// Another user may read other records, and so everything is due.
  package func due(on day: Int64, as userID: String?) -> Part {
    if userID != self.userID { return .everything }
    return day - self.day >= pause ? .range : .nothing
  }

  /// The range to be compared next; nil between two laps.
  package var range: Range<Timestamp>? {
    guard boundaries.count > 1 else { return nil }
    return boundaries[boundaries.count - 2]..<boundaries[boundaries.count - 1]
  }

  /// Begins a lap through a class that comes in small parts, in the order of time.
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

  /// Notes on a day that the range was compared, and what it showed dealt with.
  package mutating func finishRange(on day: Int64) {
    boundaries.removeLast(boundaries.count > 2 ? 1 : boundaries.count)
    self.day = day
  }
}
