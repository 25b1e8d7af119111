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
  /// The ids of those rows that the store does not have in their version; empty for a page of records.
  package var wanted: [String] = []

  package init(
    rowCount: Int, last: ListingKey? = nil, count: Int? = nil, date: Timestamp? = nil,
    duration: Duration = .zero, wanted: [String] = []
  ) {
    self.rowCount = rowCount
    self.last = last
    self.count = count
    self.date = date
    self.duration = duration
    self.wanted = wanted
  }
}

extension ListingResponse {
  /// The server's time before the response; nil if the server did not send it.
  ///
  /// The server stamps the `Date` when a response ends, and cuts it to whole seconds.
  var serverTimeLowerBound: Timestamp? {
    date?.adding(milliseconds: -duration.milliseconds - 1000)
  }
}
