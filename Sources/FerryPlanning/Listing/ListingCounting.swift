// Ferry: offline-first sync for Parse Server. MIT licence.

/// How a listing uses the server's counts.
package struct ListingCounting: Equatable, Sendable {
  private enum Use { case never, later, now }

  private var use: Use
  /// The number of rows after the listed ones, if a count is known.
  package internal(set) var remaining: Int?
  /// The server counted rows that it did not show, so its count proves nothing.
  package internal(set) var hasHidden = false

  init(isOn: Bool) { use = isOn ? .now : .never }

  /// Whether the server is asked to count, and trusted.
  package var isOn: Bool { use != .never }
  /// Whether the next query counts.
  var isDue: Bool { use == .now }

  mutating func ask() { if isOn { use = .now } }
  mutating func stop() { use = .never }

  /// Takes a page's count; true if it says that this page is the last one.
  mutating func take(_ response: ListingResponse, skipped: Int) -> Bool {
    remaining = (response.count.map { $0 - skipped } ?? remaining).map { $0 - response.rowCount }
    if skipped > 0 { hasHidden = true }
    return response.count != nil && (remaining ?? 1) <= 0
  }

  /// Lets the next query count if it may be the last one.
  mutating func plan(isShort: Bool, largestPage: Int) {
    guard isOn else { return }
    use = isShort || remaining.map { $0 <= largestPage } ?? false ? .now : .later
  }
}
