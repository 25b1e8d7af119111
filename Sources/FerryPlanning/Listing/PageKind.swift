// Ferry: offline-first sync for Parse Server. MIT licence.

/// How the rows of a listing's page were asked for.
package enum PageKind: Equatable, Sendable {
  /// In the order of their stamps.
  case ordered
  /// By id, in a walk through a single millisecond.
  case walk
  /// By their ids, because their versions differed in a comparison up to a row.
  case named(behind: ListingKey)
}
