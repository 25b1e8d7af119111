// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel

/// A range of a listing: the rows changed from one moment of the server's clock up to another.
package struct ListingSegment: Codable, Equatable, Sendable {
  /// Counts from 1.
  package var number: Int
  /// Rows stamped earlier are left out; nil for none.
  package var from: Timestamp?
  /// The server's time before its first answer was put together; nil where the server did not say.
  package var serverTimeLowerBound: Timestamp?
  /// By the server's time, rows stamped then or later are left to the next listing; nil where it told
  /// none that could be trusted with it.
  package var until: Timestamp?

  package init(
    number: Int, from: Timestamp?, serverTimeLowerBound: Timestamp? = nil, until: Timestamp? = nil
  ) {
    self.number = number
    self.from = from
    self.serverTimeLowerBound = serverTimeLowerBound
    self.until = until
  }
}
