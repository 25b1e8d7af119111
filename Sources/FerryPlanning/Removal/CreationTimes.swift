// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel

/// The creation times of a class's confirmed rows: a comparison counts many ranges of them.
///
/// They take eight bytes a row.
package struct CreationTimes: Sendable {
  private let sorted: [Timestamp]

  package init(_ times: [Timestamp]) { sorted = times.sorted() }

  /// The numbers of rows between neighbouring boundaries, which are sorted.
  package func counts(between boundaries: [Timestamp]) -> [Int] {
    let places = boundaries.map { boundary in sorted.firstPlace { $0 >= boundary } }
    return zip(places, places.dropFirst()).map { $1 - $0 }
  }
}

extension [Timestamp] {
  /// The first place whose element satisfies a predicate, if all later elements satisfy it too.
  fileprivate func firstPlace(where holds: (Timestamp) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if holds(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
