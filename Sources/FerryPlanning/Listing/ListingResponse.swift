// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel

/// The part of a response to a listing's query that decides how the listing goes on.
package struct ListingResponse: Equatable, Sendable {
  package var rowCount: Int
  /// The last row's key; nil if there is no row or the row does not show its key.
  package var last: ListingKey?
  /// The number of rows that match the query, if it was counted.
  package var count: Int?
  /// When the response was sent, by the server's clock in whole seconds.
  package var date: Timestamp?
  /// The duration of the exchange.
  package var duration: Duration = .zero

  package init(
    rowCount: Int, last: ListingKey? = nil, count: Int? = nil, date: Timestamp? = nil,
    duration: Duration = .zero
  ) {
    self.rowCount = rowCount
    self.last = last
    self.count = count
    self.date = date
    self.duration = duration
  }
}
