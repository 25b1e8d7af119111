// Ferry: offline-first sync for Parse Server. MIT licence.

/// Continues a listing past rows that the server counts but does not show.
///
/// A trigger may remove rows from a response after the page was cut. An empty page is then not the
/// end, and it shows no key to continue from. So the listing skips rows by number. It never skips
/// more rows than a page of this listing has shown, because the server may return fewer than
/// requested. Each query takes a request, so there is a limit.
package struct HiddenRows: Equatable, Sendable {
  package enum Action: Equatable {
    case query
    /// All counted rows were requested.
    case end
    /// There are too many hidden rows to skip.
    case stop
  }

  /// The number of rows that the next query skips.
  package private(set) var skip = 0
  private var responses = 0
  private var lastCount = 0

  package init() {}

  private static let mostResponses = 64

  /// Takes a response that shows none of the counted rows.
  /// - Parameters:
  ///   - count: The number of matching rows, including the skipped ones.
  ///   - pageSize: The greatest number of rows on any page of this listing.
  /// - Returns: How to continue.
  package mutating func takeEmpty(count: Int, pageSize: Int) -> Action {
    if beginsAgain(count: count) { return .query }
    guard responses < Self.mostResponses else { return .stop }
    // A row may have appeared between the page and the count, so the first query is repeated.
    if responses > 1 { skip += max(pageSize, 1) }
    return skip < count ? .query : .end
  }

  /// Whether rows were deleted since the last response.
  ///
  /// Other rows have then moved into the skipped range, so this response proves nothing and the
  /// skipping must begin again.
  package mutating func beginsAgain(count: Int) -> Bool {
    defer { lastCount = count }
    responses += 1
    guard skip > 0, count < lastCount else { return false }
    skip = 0
    return true
  }
}
