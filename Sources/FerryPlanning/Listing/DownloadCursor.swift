// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel

/// The position up to which listings of a class are complete, and where the next one must begin.
///
/// It has two bounds, because either may fail. A proxy may send a wrong server time. The newest row
/// alone would make every listing repeat a burst of writes.
package struct DownloadCursor: Codable, Equatable, Sendable {
  /// The server's time before the first answer of the last complete listing.
  package var serverTimeLowerBound: Timestamp?
  /// The latest stamp in any complete listing.
  package var newest: Timestamp?
  /// About how many rows have stamps whose versions the next listing may compare; nil if that is unknown.
  package var comparableRows: Int?

  package init(
    serverTimeLowerBound: Timestamp? = nil, newest: Timestamp? = nil, comparableRows: Int? = nil
  ) {
    self.serverTimeLowerBound = serverTimeLowerBound
    self.newest = newest
    self.comparableRows = comparableRows
  }

  /// The stamp at which the next listing must begin; nil for the beginning.
  ///
  /// The overlap before the lower bound finds rows that were stamped earlier and committed later.
  /// If a wrong clock puts the bound ahead of the stamps, all rows after the newest row are still
  /// listed. A class that never showed a row has no stamp, and is listed completely.
  package func lowerBound(overlap: Duration) -> Timestamp? {
    guard let newest, let serverTimeLowerBound else { return nil }
    return min(
      serverTimeLowerBound.adding(milliseconds: -overlap.milliseconds),
      newest.adding(milliseconds: 1))
  }

  /// The stamps of rows that the next listing shows once more, and whose contents a version proves.
  ///
  /// They lie before the last listing by the margin. Of the two bounds, either may fail.
  ///
  /// - Parameters:
  ///   - overlap: How far the next listing goes back.
  ///   - margin: How long before the last listing a version may still mean two contents.
  /// - Returns: The stamps; nil for none.
  package func comparableStamps(overlap: Duration, margin: Duration) -> Range<Timestamp>? {
    guard let start = lowerBound(overlap: overlap), let newest, let serverTimeLowerBound else {
      return nil
    }
    let end = min(serverTimeLowerBound, newest).adding(milliseconds: -margin.milliseconds)
    return start < end ? start..<end : nil
  }

  /// The cursor after another complete listing.
  ///
  /// - Parameters:
  ///   - serverTimeLowerBound: The lower bound of server time of the new listing. If the server
  ///     sent no time, the cursor advances only to the last listed row.
  ///   - listed: The latest stamp on the new listing's pages.
  /// - Returns: The position up to which both listings are complete.
  package func extended(serverTimeLowerBound: Timestamp?, listed: Timestamp?) -> DownloadCursor {
    let newest = [self.newest, listed].compactMap(\.self).max()
    return DownloadCursor(
      serverTimeLowerBound: serverTimeLowerBound
        ?? [self.serverTimeLowerBound, listed].compactMap(\.self).max(), newest: newest)
  }
}

extension Duration {
  /// Whole milliseconds, rounded up, so that no measured duration becomes shorter.
  package var milliseconds: Int64 {
    let (seconds, attoseconds) = components
    return seconds * 1000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
  }
}
