// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import Foundation

/// One line of a class's manifest; exactly one of its members is present.
struct ManifestLine: Codable, Equatable {
  var listing: Listing?
  var segment: ListingSegment?
  var page: ListingPage?
  var complete: ListingEnd?

  /// The line as it is written, with its line feed.
  func encoded() throws(SyncError) -> Data {
    do {
      return Data("\(try StoredJSON.text(self))\n".utf8)
    } catch {
      throw SyncError(
        .localStorage,
        "A line of a staged listing could not be written: \(error). No row was changed, and what was "
          + "staged before is kept. Sync again.",
        cause: error)
    }
  }
}
