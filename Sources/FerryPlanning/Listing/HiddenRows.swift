// Ferry: offline-first sync for Parse Server. MIT licence.

/// Leads a listing past rows that the server counts and does not show.
///
/// A trigger may take rows out of an answer when the page is cut already: a page that shows nothing is
/// then not the end, and names no row to go on from. What it would have shown is passed over by number,
/// never by more rows than a page of this listing has shown, because the server may give fewer than it
/// is asked for. That takes a request for each such step, so there is a limit to it.
package struct HiddenRows: Equatable {
  package enum Step: Equatable {
    case ask
    /// All that is counted was asked for.
    case end
    /// There are more of them than are worth passing over.
    case stop
  }

  /// How many rows to pass over in the next question.
  package private(set) var skip = 0
  private var answers = 0
  private var lastCount = 0

  package init() {}

  private static let mostAnswers = 64

  /// Takes an answer that shows none of the rows it counts.
  ///
  /// - Parameters:
  ///   - count: How many rows match the question, those passed over included.
  ///   - pageSize: The most rows that any page of this listing has shown.
  /// - Returns: How to go on.
  package mutating func takeEmpty(count: Int, pageSize: Int) -> Step {
    if beginsAgain(count: count) { return .ask }
    guard answers < Self.mostAnswers else { return .stop }
    // A row may have come between the page and the count, so that the first question is asked twice.
    if answers > 1 { skip += max(pageSize, 1) }
    return skip < count ? .ask : .end
  }

  /// Whether rows have gone since the last answer: others have moved up into what is passed over, so
  /// that this answer proves nothing and it has to be begun again.
  package mutating func beginsAgain(count: Int) -> Bool {
    defer { lastCount = count }
    answers += 1
    guard skip > 0, count < lastCount, answers < Self.mostAnswers else { return false }
    skip = 0
    return true
  }
}
