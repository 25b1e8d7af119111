// Ferry: offline-first sync for Parse Server. MIT licence.

/// The text of an infinity in JSON, which has no word for it.
enum JSONInfinities {
  /// It becomes null, as in every browser, and no text means one.
  case none
  /// It becomes a number that no double holds, and such a number means one.
  case asLargeNumbers

  /// The text of a number that is not finite; NaN, which no store keeps, becomes null.
  func text(_ number: Double) -> String {
    switch self {
    case .asLargeNumbers where number.isInfinite: number < 0 ? "-1e999" : "1e999"
    case .none, .asLargeNumbers: "null"
    }
  }
}
