// Ferry: offline-first sync for Parse Server. MIT licence.

/// The part of an index that can hold what a condition asks for.
struct KeyRange: Equatable {
  var lower = IndexBound.lowest
  var upper = IndexBound.highest

  static let everything = KeyRange()
  static let nothing = KeyRange(lower: .highest, upper: .lowest)

  func intersection(_ other: KeyRange) -> KeyRange {
    KeyRange(lower: max(lower, other.lower), upper: min(upper, other.upper))
  }

  /// The smallest range that covers both.
  func hull(_ other: KeyRange) -> KeyRange {
    if lower >= upper { return other }
    if other.lower >= other.upper { return self }
    return KeyRange(lower: min(lower, other.lower), upper: max(upper, other.upper))
  }
}
