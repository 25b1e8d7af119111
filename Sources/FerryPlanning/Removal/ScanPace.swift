// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel

/// How fast a rolling scan goes through a class: never more than a share a day, and in ranges that
/// are worth a request, so that a small class is compared seldom but whole.
package struct ScanPace: Equatable {
  /// A lap takes no longer.
  package let days: Int
  /// About so many rows are compared for the price of one request.
  package static let leastRows = 1_000

  /// The pace for a share of each class per day; nil for a share of nothing.
  package init?(share: Double) {
    guard share > 0 else { return nil }
    // A thirtieth is no number that binary digits can write down.
    days = Int((min(max(1 / share, 1), 36_500) + 1e-6).rounded(.down))
  }

  package func rangeSize(forRows rows: Int) -> Int {
    let ranges = ranges(forRows: rows)
    return (rows + ranges - 1) / ranges
  }

  /// Into parts of about so many rows a class is divided to cut it up: small ones make even ranges.
  package func partSize(forRows rows: Int) -> Int {
    min(max(rangeSize(forRows: rows) / 8, 1), RangeComparison.fullScanBucketSize)
  }

  package func pause(forRows rows: Int) -> Int64 { pause(forRanges: ranges(forRows: rows)) }

  package func pause(forRanges ranges: Int) -> Int64 { Int64(max(days / ranges, 1)) }

  /// Into how many ranges a class is cut.
  package func ranges(forRows rows: Int) -> Int { min(max(rows / Self.leastRows, 1), days) }
}
