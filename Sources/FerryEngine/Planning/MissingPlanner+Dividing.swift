// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel

// Dividing stretches into parts of about as many rows each, by counting here alone.
//
// Rows are seldom spread evenly over time: a class may span years and hold most of its rows in one
// imported minute. So pieces that are too full are cut up again, before the server is asked anything.
extension MissingPlanner {
  /// At most about so many boundaries at a time; one look through the rows counts them all.
  private static let boundaryLimit = 4096

  /// The boundaries by which pieces that are too full are to be cut; empty when none is.
  mutating func boundariesToRefine() -> [Timestamp] {
    let full = fullPieces.map { pieces[$0.stretch][$0.piece].span }
    guard !full.isEmpty else { return [] }
    let cuts = Int64(min(max(Self.boundaryLimit / full.count, 8), 1024))
    var boundaries: [Timestamp] = []
    for span in full {
      let count = min(cuts, span.milliseconds)
      for cut in 0...count {
        let (whole, rest) = span.milliseconds.quotientAndRemainder(dividingBy: count)
        let boundary = span.lowerBound.adding(milliseconds: whole * cut + rest * cut / count)
        if boundary != boundaries.last { boundaries.append(boundary) }
      }
    }
    return boundaries
  }

  /// Takes the counts between the boundaries asked for, those of the gaps among them too.
  mutating func take(here counts: [Int], between boundaries: [Timestamp]) {
    let counted = zip(zip(boundaries, boundaries.dropFirst()), counts).map {
      Counted(span: $0.0..<$0.1, here: $1)
    }
    for place in fullPieces.reversed() {
      let full = pieces[place.stretch][place.piece].span
      let finer = counted.filter {
        full.lowerBound <= $0.span.lowerBound && $0.span.upperBound <= full.upperBound
      }
      pieces[place.stretch].replaceSubrange(place.piece...place.piece, with: finer)
    }
  }

  /// The parts of all open stretches: neighbouring pieces brought together up to the target.
  func divided() -> [Counted] {
    pieces.flatMap { pieces in
      let target = target(for: pieces.reduce(0) { $0 + $1.here })
      var parts: [Counted] = []
      for piece in pieces {
        if let last = parts.last, last.here + piece.here <= target {
          parts[parts.count - 1] = Counted(
            span: last.span.lowerBound..<piece.span.upperBound, here: last.here + piece.here)
        } else {
          parts.append(piece)
        }
      }
      return parts
    }
  }

  /// Pieces with clearly more rows than a part should have, that can still be cut.
  private var fullPieces: [(stretch: Int, piece: Int)] {
    pieces.indices.flatMap { stretch in
      let target = target(for: pieces[stretch].reduce(0) { $0 + $1.here })
      return pieces[stretch].indices.compactMap { piece in
        let counted = pieces[stretch][piece]
        return counted.here > target && counted.span.milliseconds > 1 ? (stretch, piece) : nil
      }
    }
  }
}
