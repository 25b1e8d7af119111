// Ferry: offline-first sync for Parse Server. MIT licence.

extension Int {
  /// The number with its noun, in messages.
  ///
  /// - Parameters:
  ///   - one: The noun after 1.
  ///   - many: The noun after any other number; nil if it only takes an "s".
  /// - Returns: For example: 1 row.
  package func counted(_ one: String, _ many: String? = nil) -> String {
    "\(self) \(self == 1 ? one : many ?? one + "s")"
  }
}
