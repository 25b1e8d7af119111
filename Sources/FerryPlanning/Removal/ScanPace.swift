// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel

/// The pace of a rolling scan: at most a share a day, in ranges that are worth a request, so that a
/// small class is compared seldom but completely.
package struct ScanPace: Equatable {
  /// The greatest duration of a lap.
  package let days: Int
  /// About this number of rows costs one request to compare.
  package static let leastRows = 1_000

  /// The pace for a share of each class per day; nil for a share of zero.
  package init?(share: Double) {
    guard share > 0 else { return nil }
    // Binary digits cannot represent a thirtieth exactly.
    days = Int((min(max(1 / share, 1), 36_500) + 1e-6).rounded(.down))
  }

  package func rangeSize(forRows rows: Int) -> Int {
    let ranges = ranges(forRows: rows)
    return (rows + ranges - 1) / ranges
  }

  /// The size of the parts into which a class is cut; small parts make even ranges.
  package func partSize(forRows rows: Int) -> Int {
    min(max(rangeSize(forRows: rows) / 8, 1), RangeComparison.fullScanBucketSize)
  }

  package func pause(forRows rows: Int) -> Int64 { pause(forRanges: ranges(forRows: rows)) }

  package func pause(forRanges ranges: Int) -> Int64 { Int64(max(days / ranges, 1)) }

  /// The number of ranges of a class.
  package func ranges(forRows rows: Int) -> Int { min(max(rows / Self.leastRows, 1), days) }
}
