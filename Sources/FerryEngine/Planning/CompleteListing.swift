// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning

/// Evidence that all of a class was seen: without it, a record that is not there proves nothing.
///
/// Made only from a listing that came to its end and was imported whole, and used up by the look
/// for missing records that follows.
struct CompleteListing: Codable, Equatable {
  let listingID: String
  /// Rows created before this time of the server's were all listed; nil where it told no time.
  let serverTimeLowerBound: Timestamp?
  /// How many rows the class had when the listing turned out empty: nothing has changed since the
  /// rows here were last compared, so this count can be compared with them.
  let unchangedCount: Int?
  /// Whether the server counts the class, and its count agreed with what it listed.
  let isCounted: Bool

  /// Nil while the listing has not come to its end.
  init?(_ staged: StagedListing) {
    guard let end = staged.end else { return nil }
    listingID = staged.listing.id
    serverTimeLowerBound = staged.segments.last?.serverTimeLowerBound
    unchangedCount = staged.entries.isEmpty ? end.classCount : nil
    isCounted = end.isCounted
  }
}
