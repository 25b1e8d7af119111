// Ferry: offline-first sync for Parse Server. MIT licence.

/// Counts the rows of a listing's pages, and says when they have no end.
struct PageTally: Equatable, Sendable {
  /// The greatest number of rows on a page.
  var largest = 0
  private var rows = 0
  /// How many rows pages may show until they are taken for endless, from the first count on.
  private var limit: Int?

  private static let mostRepeated = 4
  private static let fewRows = 10_000

  /// Takes a page, and returns why the listing has to stop, if it has.
  ///
  /// A millisecond that fills a page is listed up to three times.
  mutating func take(_ response: ListingResponse) -> ListingStop? {
    rows += response.rowCount
    if limit == nil, let count = response.count {
      limit = rows + Self.mostRepeated * count + Self.fewRows
    }
    largest = max(largest, response.rowCount)
    guard let limit, rows > limit else { return nil }
    return .endless(counted: (limit - Self.fewRows) / Self.mostRepeated)
  }
}
