// Ferry: offline-first sync for Parse Server. MIT licence.

/// A law that does not hold for a case.
package struct BrokenLaw: Error, CustomStringConvertible {
  /// The law.
  package let sentence: String
  /// The values that break it.
  let values: String

  package var description: String { "\(sentence): \(values)" }
}

/// Throws where a law does not hold.
func law(
  _ holds: Bool, _ name: @autoclosure () -> String, _ values: @autoclosure () -> String = ""
) throws(BrokenLaw) {
  guard !holds else { return }
  throw BrokenLaw(sentence: name(), values: values())
}
