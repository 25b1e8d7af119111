// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel

/// The next query of a listing.
package struct ListingQuery: Equatable, Sendable {
  /// The rows to list, and their order.
  package enum Rows: Equatable, Sendable {
    /// Rows with this stamp or a later one.
    case from(Timestamp)
    /// Rows after a row.
    case after(ListingKey)
    /// Rows of one millisecond, by `objectId`, after an id.
    case millisecond(Timestamp, after: String?)
    /// The row with the latest stamp.
    case newest
    /// Rows with one of these ids, by `objectId`, after an id.
    case named([String], after: String?)
  }

  /// The part of each row to show.
  package enum Content: Equatable, Sendable {
    case records
    /// Only the ids and versions.
    case versions
  }

  package var rows: Rows
  /// Rows with this stamp or a later one are left out.
  package var until: Timestamp?
  /// Whether to count the matching rows, besides listing them.
  package var counts: Bool
  /// The number of matching rows to skip.
  package var skip = 0
  package var content = Content.records
}

extension Timestamp {
  /// A time before every stamp of a server.
  ///
  /// Even a query for everything uses it: without a real constraint, a count with the master key is
  /// an estimate.
  package static let beforeAllStamps = Timestamp(milliseconds: -62_135_596_800_000)
}
