// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel

/// A range of a listing: the rows changed from one moment of the server's clock up to another.
package struct ListingSegment: Codable, Equatable, Sendable {
  /// The number, from 1.
  package var number: Int
  /// Rows with earlier stamps are left out; nil for no lower bound.
  package var from: Timestamp?
  /// The server's time before its first answer; nil if the server did not send it.
  package var serverTimeLowerBound: Timestamp?
  /// Rows stamped at this server time or later are left to the next listing; nil if the server sent
  /// no trustworthy time.
  package var until: Timestamp?
  /// Whether only versions were listed: the pages have the records that differed.
  package var comparesVersions: Bool?

  package init(
    number: Int, from: Timestamp?, serverTimeLowerBound: Timestamp? = nil, until: Timestamp? = nil,
    comparesVersions: Bool? = nil
  ) {
    self.number = number
    self.from = from
    self.serverTimeLowerBound = serverTimeLowerBound
    self.until = until
    self.comparesVersions = comparesVersions
  }
}
