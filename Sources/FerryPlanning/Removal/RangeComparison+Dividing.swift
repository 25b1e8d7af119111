// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel

// Divides ranges into parts with similar numbers of rows, by counting local rows only.
//
// Rows are seldom spread evenly over time: a class may span years and have most of its rows in one
// imported minute. So subranges with too many rows are divided again before the server is asked.
extension RangeComparison {
  /// The approximate greatest number of boundaries at a time; one pass through the rows counts them
  /// all.
  private static let boundaryLimit = 4096

  /// The boundaries that divide subranges with too many rows; empty if there are none.
  package mutating func boundariesToRefine() -> [Timestamp] {
    let full = fullSubranges.map { subranges[$0.range][$0.subrange].range }
    guard !full.isEmpty else { return [] }
    let cuts = Int64(min(max(Self.boundaryLimit / full.count, 8), 1024))
    var boundaries: [Timestamp] = []
    for range in full {
      let count = min(cuts, range.milliseconds)
      for cut in 0...count {
        let (whole, rest) = range.milliseconds.quotientAndRemainder(dividingBy: count)
        let boundary = range.lowerBound.adding(milliseconds: whole * cut + rest * cut / count)
        if boundary != boundaries.last { boundaries.append(boundary) }
      }
    }
    return boundaries
  }

  /// Takes the counts between the requested boundaries, including those of gaps.
  package mutating func take(local counts: [Int], between boundaries: [Timestamp]) {
    let counted = zip(zip(boundaries, boundaries.dropFirst()), counts).map {
      Counted(range: $0.0..<$0.1, local: $1)
    }
    for place in fullSubranges.reversed() {
      let full = subranges[place.range][place.subrange].range
      let finer = counted.filter {
        full.lowerBound <= $0.range.lowerBound && $0.range.upperBound <= full.upperBound
      }
      subranges[place.range].replaceSubrange(place.subrange...place.subrange, with: finer)
    }
  }

  /// The parts of all open ranges: neighbouring subranges are joined up to the target size.
  package func divided() -> [Counted] {
    subranges.flatMap { subranges in
      let target = target(for: subranges.reduce(0) { $0 + $1.local })
      var parts: [Counted] = []
      for subrange in subranges {
        if let last = parts.last, last.local + subrange.local <= target {
          parts[parts.count - 1] = Counted(
            range: last.range.lowerBound..<subrange.range.upperBound,
            local: last.local + subrange.local)
        } else {
          parts.append(subrange)
        }
      }
      return parts
    }
  }

  /// Subranges with clearly more rows than a part should have, if they can be divided.
  private var fullSubranges: [(range: Int, subrange: Int)] {
    subranges.indices.flatMap { range in
      let target = target(for: subranges[range].reduce(0) { $0 + $1.local })
      return subranges[range].indices.compactMap { subrange in
        let counted = subranges[range][subrange]
        return counted.local > target && counted.range.milliseconds > 1 ? (range, subrange) : nil
      }
    }
  }
}
