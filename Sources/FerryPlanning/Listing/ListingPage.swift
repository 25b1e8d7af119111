// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel

/// A page of a listing, as the manifest lists it.
package struct ListingPage: Codable, Equatable, Sendable {
  /// The number, from 1, through all segments.
  package var number: Int
  package var file: String
  package var bytes: Int
  package var checksum: String
  package var records: Int
  /// The key of its last row; of records asked for by id, the row up to which versions were compared.
  package var last: ListingKey
  /// Whether the page belongs to a walk by `objectId` through a single millisecond.
  package var isWalk: Bool?

  package init(
    number: Int, file: String, bytes: Int, checksum: String, records: Int, last: ListingKey,
    isWalk: Bool? = nil
  ) {
    self.number = number
    self.file = file
    self.bytes = bytes
    self.checksum = checksum
    self.records = records
    self.last = last
    self.isWalk = isWalk
  }
}
