// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel

/// The bounds of a listing in the server's time.
///
/// A listing of more than one page needs an end, or rows that keep changing would prolong it forever.
/// Either bound may fail: the `Date` may be missing or wrong, and one row may have a stamp in the
/// future. The earlier of the two is the end, except for a `Date` that listed rows contradict.
package struct ListingBounds: Equatable, Sendable {
  /// The server's time before its first response; nil if the server did not send it, or if rows may
  /// be missing.
  package var serverTimeLowerBound: Timestamp?
  /// The stamp of the newest row at the beginning, once it is known.
  private var newest: Timestamp?
  /// Whether the server hides the newest row, so that no stamp shows whether the `Date` is right.
  private var isNewestHidden = false
  /// The end by the server's `Date`; nil if it is not known or not believed.
  private var date: Timestamp?

  init() {}

  /// The bounds of a listing whose end is known.
  init(until end: Timestamp) { date = end }

  /// The bounds of a segment that an earlier run began.
  init(resuming segment: ListingSegment) {
    serverTimeLowerBound = segment.serverTimeLowerBound
    date = segment.until
  }

  /// Rows with this stamp or a later one are left to the next listing.
  package var until: Timestamp? { [date, end].compactMap(\.self).min() }

  /// Some rows have, or may have, stamps after the end, so the server's clock is not the clock of its stamps.
  package var leavesNewer: Bool {
    guard let date else { return false }
    return isNewestHidden || end.map { $0 > date } ?? false
  }

  private var end: Timestamp? { newest?.adding(milliseconds: 1) }

  /// Takes the first response.
  mutating func open(with response: ListingResponse, believesDate: Bool) {
    serverTimeLowerBound = response.serverTimeLowerBound
    date = believesDate ? response.date?.adding(milliseconds: 1000) : nil
  }

  /// Takes the key of the newest row; nil if the server hides that row.
  mutating func close(with newest: ListingKey?) {
    self.newest = newest?.updatedAt
    isNewestHidden = newest == nil
  }

  /// Forgets a `Date` that does not lie after a listed row.
  mutating func drop(dateContradictedBy last: ListingKey?) {
    if let date, let last, last.updatedAt >= date { self.date = nil }
  }
}
