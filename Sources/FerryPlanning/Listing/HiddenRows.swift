// Ferry: offline-first sync for Parse Server. MIT licence.

/// Continues a listing past rows that the server counts but does not show.
///
/// A trigger may remove rows from an answer after the page was cut. An empty page is then not the
/// end, and it shows no key to continue from. So the listing skips rows by number. It never skips
/// more rows than a page of this listing has shown, because the server may return fewer than
/// requested. Each step takes a request, so there is a limit.
package struct HiddenRows: Equatable {
  package enum Step: Equatable {
    case ask
    /// All counted rows were requested.
    case end
    /// There are too many hidden rows to skip.
    case stop
  }

  /// The number of rows that the next query skips.
  package private(set) var skip = 0
  private var answers = 0
  private var lastCount = 0

  package init() {}

  private static let mostAnswers = 64

  /// Takes an answer that shows none of the counted rows.
  /// - Parameters:
  ///   - count: The number of matching rows, including the skipped ones.
  ///   - pageSize: The greatest number of rows on any page of this listing.
  /// - Returns: How to continue.
  package mutating func takeEmpty(count: Int, pageSize: Int) -> Step {
    if beginsAgain(count: count) { return .ask }
    guard answers < Self.mostAnswers else { return .stop }
    // A row may have appeared between the page and the count, so the first query is repeated.
    if answers > 1 { skip += max(pageSize, 1) }
    return skip < count ? .ask : .end
  }

  /// Whether rows were deleted since the last answer.
  ///
  /// Other rows have then moved into the skipped range, so this answer proves nothing and the
  /// skipping must begin again.
  package mutating func beginsAgain(count: Int) -> Bool {
    defer { lastCount = count }
    answers += 1
    guard skip > 0, count < lastCount, answers < Self.mostAnswers else { return false }
    skip = 0
    return true
  }
}
