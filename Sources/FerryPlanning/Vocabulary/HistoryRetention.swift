// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel

/// How much history a store keeps after folding, so that a reader who never comes back cannot hold all
/// of it.
package struct HistoryRetention: Sendable, Equatable {
  /// Rows of the log from this time on stay, even if every named reader has merged them.
  package var since: Timestamp
  /// How many of the newest rows stay at most for readers without a name.
  package var newest: Int64
  /// Rows from this time on stay for a named reader who has not merged them.
  package var unreadSince: Timestamp

  package init(since: Timestamp, newest: Int64 = .max, unreadSince: Timestamp = .earliest) {
    self.since = since
    self.newest = newest
    self.unreadSince = unreadSince
  }

  /// The last row of the log that no reader needs.
  ///
  /// - Parameters:
  ///   - last: The newest row.
  ///   - merged: The last row that every named reader has merged; nil without such readers.
  ///   - lastRow: The last row from before a time.
  /// - Returns: The row's position.
  /// - Throws: The error of `lastRow`.
  package func needless<Failure: Error>(
    last: HistoryToken, merged: HistoryToken?,
    lastRow: (_ before: Timestamp) throws(Failure) -> HistoryToken
  ) throws(Failure) -> HistoryToken {
    let surplus = HistoryToken(rawValue: max(last.rawValue, newest) - newest)
    let unnamed = max(try lastRow(since), surplus)
    guard let merged, merged < unnamed else { return unnamed }
    return max(merged, try lastRow(unreadSince))
  }
}
