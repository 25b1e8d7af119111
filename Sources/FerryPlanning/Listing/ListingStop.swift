// Ferry: offline-first sync for Parse Server. MIT licence.

/// Why a listing cannot end.
package enum ListingStop: Equatable, Sendable {
  /// There are too many empty pages, although that many rows match.
  case hidden(Int)
  /// The response has rows that were not requested, or the same rows again.
  case disordered
  /// Far more rows than the server counted.
  case endless(counted: Int)
  /// More rows than expected, of which the server counted none.
  case uncounted(Int)
}
