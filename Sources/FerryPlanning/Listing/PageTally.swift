// Ferry: offline-first sync for Parse Server. MIT licence.

/// Counts the rows of a listing's pages, and says when they have no end.
struct PageTally: Equatable, Sendable {
  /// How many rows pages may show until they are taken for endless.
  private enum Limit: Equatable {
    /// As long as the server has counted none.
    case uncounted(Int)
    case counted(Int, ceiling: Int)
  }

  /// The greatest number of rows on a page.
  var largest = 0
  private var rows: Int
  /// The rows of the pages before the count.
  private var rowsBefore: Int
  private var limit: Limit

  /// Begins after pages of an earlier run with that many rows.
  init(uncountedLimit: Int, rows: Int = 0) {
    limit = .uncounted(uncountedLimit)
    self.rows = rows
    rowsBefore = rows
  }

  /// Whether the server has counted the rows, and has shown no more than it counted.
  var isWithinCount: Bool {
    guard case .counted(let counted, _) = limit else { return false }
    return rows - rowsBefore <= counted
  }

  /// Takes a page, and returns why the listing has to stop, if it has.
  ///
  /// A millisecond that fills a page is listed up to three times.
  mutating func take(_ response: ListingResponse) -> ListingStop? {
    let before = rows
    rows += response.rowCount
    largest = max(largest, response.rowCount)
    if case .uncounted = limit, let count = response.count {
      limit = .counted(count, ceiling: RowCeiling.counted(count, after: rows))
      rowsBefore = before
    }
    switch limit {
    case .uncounted(let limit): return rows > limit ? .uncounted(rows) : nil
    case .counted(let counted, let ceiling):
      return rows > ceiling ? .endless(counted: counted) : nil
    }
  }
}
