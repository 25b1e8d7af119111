// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel

// Dividing ranges into parts of about as many rows each, by counting here alone.
//
// Rows are seldom spread evenly over time: a class may span years and hold most of its rows in one
// imported minute. So pieces that are too full are cut up again, before the server is asked anything.
extension RangeComparison {
  /// At most about so many boundaries at a time; one look through the rows counts them all.
  private static let boundaryLimit = 4096

  /// The boundaries by which pieces that are too full are to be cut; empty when none is.
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

  /// Takes the counts between the boundaries asked for, those of the gaps among them too.
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

  /// The parts of all open ranges: neighbouring pieces brought together up to the target.
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

  /// Pieces with clearly more rows than a part should have, that can still be cut.
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
