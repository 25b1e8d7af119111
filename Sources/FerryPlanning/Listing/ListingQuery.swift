// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel

/// What a listing asks the server next.
package struct ListingQuery: Equatable, Sendable {
  /// Which rows, and in which order.
  package enum Rows: Equatable, Sendable {
    /// Those stamped then or later.
    case from(Timestamp)
    /// Those after a row.
    case after(ListingKey)
    /// Those of one millisecond, by `objectId`, after an id.
    case millisecond(Timestamp, after: String?)
    /// The one with the latest stamp.
    case newest
  }

  package var rows: Rows
  /// Rows stamped then or later are left out.
  package var until: Timestamp?
  /// Whether to count what matches, beside listing it.
  package var counts: Bool
  /// How many of the rows that match are passed over, in their order.
  package var skip = 0
}

extension Timestamp {
  /// Before every stamp of a server.
  ///
  /// Asked for even where everything is wanted: without a real constraint, a count made with the
  /// master key is an estimate.
  package static let beforeAllStamps = Timestamp(milliseconds: -62_135_596_800_000)
}
