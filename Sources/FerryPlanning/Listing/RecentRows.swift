// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel

/// How many rows a listing has shown, by the second of their pages' last stamps.
///
/// It knows the last stamp of a page and the number of its rows. So each count is wrong by a page at most, which
/// is enough to decide whether many rows lie in a range.
struct RecentRows: Equatable, Sendable {
  private struct Second: Equatable {
    var number: Int64
    var rows: Int
  }

  /// In the order of the pages.
  private var seconds: [Second] = []
  /// How long before the newest stamp rows are counted.
  private let span: Int64

  /// - Parameter span: How far back from the newest stamp a count may reach.
  init(span: Duration) { self.span = span.milliseconds / 1000 + 1 }

  /// Takes a page.
  mutating func take(_ rows: Int, through last: Timestamp) {
    let number = Self.second(of: last)
    if seconds.last?.number == number {
      seconds[seconds.count - 1].rows += rows
    } else {
      seconds.removeAll { $0.number < number - span }
      seconds.append(Second(number: number, rows: rows))
    }
  }

  /// The number of rows on pages that end within a range, or within the seconds at its ends.
  ///
  /// A page of versions ends just before the range does.
  func count(within stamps: Range<Timestamp>) -> Int {
    let range = Self.second(of: stamps.lowerBound)...Self.second(of: stamps.upperBound)
    return seconds.reduce(0) { $0 + (range.contains($1.number) ? $1.rows : 0) }
  }

  private static func second(of stamp: Timestamp) -> Int64 {
    let (quotient, remainder) = stamp.milliseconds.quotientAndRemainder(dividingBy: 1000)
    return remainder < 0 ? quotient - 1 : quotient
  }
}
