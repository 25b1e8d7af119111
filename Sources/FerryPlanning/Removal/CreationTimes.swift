// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel

/// The creation times of a class's confirmed rows: a comparison counts many ranges of them.
///
/// They take eight bytes a row. Most rows lie in the table in the order of their creation. So the times also
/// say in which stretches of the table the rows of a range are, and the others need not be read.
package struct CreationTimes: Sendable {
  /// Rows with neighbouring local ids.
  private struct Stretch: Sendable {
    let first: LocalID
    var last: LocalID
    var earliest: Timestamp
    var latest: Timestamp
    var count = 1
  }

  /// A comparison lists ranges of some 500 rows.
  private static let rowsPerStretch = 256

  private let sorted: [Timestamp]
  private let stretches: [Stretch]

  /// Takes the rows in the order of their local ids, until there are no more.
  package init<Failure>(
    capacity: Int = 0,
    _ next: () throws(Failure) -> (localID: LocalID, createdAt: Timestamp)?
  ) throws(Failure) {
    var times: [Timestamp] = []
    var stretches: [Stretch] = []
    times.reserveCapacity(capacity)
    var open: Stretch?
    while let (localID, time) = try next() {
      times.append(time)
      if var stretch = open, stretch.count < Self.rowsPerStretch {
        stretch.last = localID
        stretch.earliest = min(stretch.earliest, time)
        stretch.latest = max(stretch.latest, time)
        stretch.count += 1
        open = stretch
      } else {
        if let open { stretches.append(open) }
        open = Stretch(first: localID, last: localID, earliest: time, latest: time)
      }
    }
    if let open { stretches.append(open) }
    times.sort()
    self.sorted = times
    self.stretches = stretches
  }

  /// The numbers of rows between neighbouring boundaries, which are sorted.
  package func counts(between boundaries: [Timestamp]) -> [Int] {
    let places = boundaries.map { boundary in sorted.firstPlace { $0 >= boundary } }
    return zip(places, places.dropFirst()).map { $1 - $0 }
  }

  /// The parts of the table that have all rows created within ranges; these are sorted and do not overlap.
  package func localIDs(createdWithin ranges: [Range<Timestamp>]) -> [ClosedRange<LocalID>] {
    var parts: [ClosedRange<LocalID>] = []
    var continues = false
    for stretch in stretches {
      let place = ranges.firstPlace { $0.upperBound > stretch.earliest }
      guard place < ranges.count, ranges[place].lowerBound <= stretch.latest else {
        continues = false
        continue
      }
      if continues, let part = parts.last {
        parts[parts.count - 1] = part.lowerBound...stretch.last
      } else {
        parts.append(stretch.first...stretch.last)
      }
      continues = true
    }
    return parts
  }
}

extension Array {
  /// The first place whose element satisfies a predicate, if all later elements satisfy it too.
  fileprivate func firstPlace(where holds: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if holds(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
