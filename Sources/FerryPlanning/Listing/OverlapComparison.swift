// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel

/// Compares the versions of rows that a listing shows once more, and asks only for records that differ.
///
/// Each listing goes back behind the one before it, because a server may commit a write after rows with later
/// stamps. Soon after many writes, that part has many rows, and the device has nearly all of them.
package struct OverlapComparison: Equatable, Sendable {
  /// When a listing compares versions.
  package struct Terms: Equatable, Sendable {
    /// From how many rows on it is worth the additional request.
    package var leastRows = 1_001
    /// Rows with stamps that near to the last listing are fetched as a whole.
    ///
    /// Two writes of a record may have one stamp. The last listing may have seen the first of them alone, and its
    /// version does not tell. A write that comes that late behind its stamp is not found.
    package var margin: Duration = .seconds(5)

    package init() {}
  }

  /// How many records are asked for at once.
  static let recordsPerQuery = 1_000

  /// The stamps whose rows are compared.
  let stamps: Range<Timestamp>
  /// The server's time before the first response; nil if the server did not send it.
  private(set) var serverTimeLowerBound: Timestamp?
  /// The last row that was compared.
  private(set) var through: ListingKey
  /// Whether all rows were compared.
  var isListed = false
  /// The records that are asked for now.
  private(set) var asked: NamedRecords?
  /// Records that differ and were not asked for.
  private var wanted: [String] = []
  private var hasBegun = false
  /// About how many rows the last listing has shown there.
  private let expected: Int
  /// The number of rows whose versions came.
  private var compared = 0

  init(_ stamps: Range<Timestamp>, expecting rows: Int) {
    self.stamps = stamps
    expected = rows
    through = ListingKey(updatedAt: stamps.lowerBound, objectID: "")
  }

  /// Whether the versions that came may be all: at least half of the rows of the last listing.
  ///
  /// A trigger of the server can hide rows whose fields are not requested. Where rows have moved, few are left, and
  /// they cost little as a whole.
  var isCredible: Bool { 2 * compared >= expected }

  /// Takes a response with versions.
  mutating func take(versions response: ListingResponse) {
    if !hasBegun { serverTimeLowerBound = response.serverTimeLowerBound }
    hasBegun = true
    wanted += response.wanted
    compared += response.rowCount
    through = response.last ?? through
  }

  /// Takes a response with records; false if they are not those that were requested.
  mutating func take(records response: ListingResponse) -> Bool {
    guard var records = asked, records.take(response) else { return false }
    asked = records.isComplete ? nil : records
    return true
  }

  /// Begins to ask for records, if enough of them differ, or if these are the last.
  mutating func ask() {
    guard asked == nil, !wanted.isEmpty, isListed || wanted.count >= Self.recordsPerQuery else {
      return
    }
    asked = NamedRecords(Array(wanted.prefix(Self.recordsPerQuery)))
    wanted.removeFirst(min(Self.recordsPerQuery, wanted.count))
  }
}
