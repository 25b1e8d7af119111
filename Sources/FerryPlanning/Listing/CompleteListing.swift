// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel

/// Evidence that all of a class was seen: without it, a record that is not there proves nothing.
///
/// Made only from a listing that came to its end and was imported whole, and used up by the look
/// for missing records that follows.
package struct CompleteListing: Codable, Equatable {
  package let listingID: String
  /// Rows created before this time of the server's were all listed; nil where it told no time.
  package let serverTimeLowerBound: Timestamp?
  /// How many rows the class had when the listing turned out empty: nothing has changed since the
  /// rows here were last compared, so this count can be compared with them.
  package let unchangedCount: Int?
  /// Whether the server counts the class, and its count agreed with what it listed.
  package let isCounted: Bool

  package init(
    listingID: String, serverTimeLowerBound: Timestamp?, unchangedCount: Int?, isCounted: Bool
  ) {
    self.listingID = listingID
    self.serverTimeLowerBound = serverTimeLowerBound
    self.unchangedCount = unchangedCount
    self.isCounted = isCounted
  }
}
