// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel

/// Proof that a whole class was listed; without it, a missing record proves nothing.
///
/// Only a listing that ended and was imported completely makes this proof. The next search for
/// missing records uses it up.
package struct CompleteListing: Equatable, Sendable {
  package let listingID: String
  /// All rows created before this server time were listed; nil if the server sent no time.
  package let serverTimeLowerBound: Timestamp?
  /// The number of rows of the class if the listing was empty.
  ///
  /// Nothing has changed since the local rows were last compared, so this count can be compared
  /// with theirs.
  package let unchangedCount: Int?
  /// Whether the server counts the class, and its count agreed with the listing.
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
