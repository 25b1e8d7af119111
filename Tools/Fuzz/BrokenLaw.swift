// Ferry: offline-first sync for Parse Server. MIT licence.

/// A law that does not hold for some input.
package struct BrokenLaw: Error, CustomStringConvertible {
  /// The law, and how it was broken.
  package let description: String

  init(_ description: String) { self.description = description }
}

/// Throws where a law does not hold.
func law(_ holds: Bool, _ description: @autoclosure () -> String) throws(BrokenLaw) {
  if !holds { throw BrokenLaw(description()) }
}
