// Ferry: offline-first sync for Parse Server. MIT licence.

// Samples of numbered worlds or courses.
extension Options {
  /// The first number of a sample, and how many numbers there are from it on; chance chooses it without `--first`.
  ///
  /// - Parameter count: How many worlds or courses there are.
  /// - Returns: The first number, and the numbers from it on; none if it is beyond the last one.
  func sample(of count: Int) -> (first: UInt64, count: UInt64) {
    let first = first ?? UInt64.random(in: 0..<step)
    return (first, UInt64(count) - min(first, UInt64(count)))
  }
}
