// Ferry: offline-first sync for Parse Server. MIT licence.

/// A story did not come out as it says.
public struct ScenarioFailure: Error, Sendable, CustomStringConvertible {
  /// The story's number.
  public var story: String
  /// Where and how it was told, with the alternatives chosen.
  public var variant: String
  /// The line of the story at which it went wrong.
  public var line: Int
  /// The fault, in words.
  public var message: String
  /// The worlds of all actors at that moment, side by side.
  public var worlds: String

  /// Story, variant and line, what went wrong, and the worlds side by side.
  public var description: String {
    "\(story) (\(variant)), \(message)\n\(worlds)"
  }
}
