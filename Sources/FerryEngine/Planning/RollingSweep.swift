// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel

/// Which part of a class is compared with the server record by record, whatever the counts say, and
/// when the next one is.
///
/// Equal counts are not equal sets: a late update changes none, and a record missed here and another
/// one deleted there cancel out. So a class is gone through in laps, from its newest records to its
/// oldest. A lap is cut into stretches when it begins, and they stay as they are: whatever is
/// inserted or deleted meanwhile, each record that was there is compared before the lap is over.
struct RollingSweep: Codable, Equatable {
  /// How much of a class is to be compared now.
  enum Part: Equatable {
    case nothing
    case stretch
    case everything
  }

  /// Whose records were compared; nil for those that anybody may read.
  private let userID: String?
  /// The day of the environment's clock that the next part is reckoned from.
  private var day: Int64
  /// Days from one part to the next.
  private var pause: Int64
  /// What is left of the lap: stretches between neighbouring boundaries, the last of them next.
  private(set) var boundaries: [Timestamp] = []

  /// A class that agrees with the server as a whole, because it was just listed or compared.
  init(agreeingOn day: Int64, as userID: String?, rows: Int, pace: SweepPace?) {
    self.userID = userID
    self.day = day
    pause = pace?.pause(forRows: rows) ?? 1
  }

  /// The same on a day, which may come before those already seen: a clock that was set back must not
  /// put the next part off for as long.
  func on(_ day: Int64) -> RollingSweep {
    var sweep = self
    sweep.day = min(self.day, day)
    return sweep
  }

  /// What is due on a day: at most one part however many days have passed, so that a clock that
  /// jumps ahead costs no more than a day does.
  ///
  /// Another user may read other records, and so everything is due.
  func due(on day: Int64, as userID: String?) -> Part {
    if userID != self.userID { return .everything }
    return day - self.day >= pause ? .stretch : .nothing
  }

  /// The stretch to be compared next; nil between two laps.
  var stretch: Range<Timestamp>? {
    guard boundaries.count > 1 else { return nil }
    return boundaries[boundaries.count - 2]..<boundaries[boundaries.count - 1]
  }

  /// Begins a lap through a class that comes in small parts, in the order of time.
  mutating func beginLap(_ parts: [MissingPlanner.Counted], pace: SweepPace) {
    guard let first = parts.first, let last = parts.last else { return }
    let rows = parts.reduce(0) { $0 + $1.here }
    let target = pace.stretchSize(forRows: rows)
    boundaries = [first.span.lowerBound]
    var size = 0
    for part in parts.dropLast() {
      size += part.here
      guard size >= target, boundaries.count < pace.stretches(forRows: rows) else { continue }
      boundaries.append(part.span.upperBound)
      size = 0
    }
    boundaries.append(last.span.upperBound)
    pause = pace.pause(forStretches: boundaries.count - 1)
  }

  /// Notes on a day that the stretch was compared, and what it showed dealt with.
  mutating func finishStretch(on day: Int64) {
    boundaries.removeLast(boundaries.count > 2 ? 1 : boundaries.count)
    self.day = day
  }
}

/// How fast a rolling sweep goes through a class: never more than a share a day, and in stretches that
/// are worth a request, so that a small class is compared seldom but whole.
struct SweepPace: Equatable {
  /// A lap takes no longer.
  let days: Int
  /// About so many rows are compared for the price of one request.
  static let leastRows = 1_000

  /// The pace for a share of each class per day; nil for a share of nothing.
  init?(share: Double) {
    guard share > 0 else { return nil }
    // A thirtieth is no number that binary digits can write down.
    days = Int((min(max(1 / share, 1), 36_500) + 1e-6).rounded(.down))
  }

  func stretchSize(forRows rows: Int) -> Int {
    let stretches = stretches(forRows: rows)
    return (rows + stretches - 1) / stretches
  }

  /// Into parts of about so many rows a class is divided to cut it up: small ones make even stretches.
  func partSize(forRows rows: Int) -> Int {
    min(max(stretchSize(forRows: rows) / 8, 1), MissingPlanner.sweepLeafSize)
  }

  func pause(forRows rows: Int) -> Int64 { pause(forStretches: stretches(forRows: rows)) }

  func pause(forStretches stretches: Int) -> Int64 { Int64(max(days / stretches, 1)) }

  /// Into how many stretches a class is cut.
  func stretches(forRows rows: Int) -> Int { min(max(rows / Self.leastRows, 1), days) }
}
