// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryPlanning
import Foundation

/// One line of a class's manifest: exactly one of its members is there.
struct ManifestLine: Codable, Equatable {
  var listing: Listing?
  var segment: ListingSegment?
  var page: ListingPage?
  var complete: ListingEnd?

  /// The line as it is written, with its line feed.
  func encoded() throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return try encoder.encode(self) + Data("\n".utf8)
  }
}
