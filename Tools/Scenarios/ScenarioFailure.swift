// Ferry: offline-first sync for Parse Server. MIT licence.

/// That a story did not come out as it says.
public struct ScenarioFailure: Error, Sendable, CustomStringConvertible {
  /// The story's number.
  public var story: String
  /// Where and how it was told, with the alternatives chosen.
  public var variant: String
  /// The line of the story at which it went wrong.
  public var line: Int
  /// What went wrong there.
  public var message: String
  /// What each actor held at that moment, side by side.
  public var worlds: String

  /// Story, variant and line, what went wrong, and the worlds side by side.
  public var description: String {
    "\(story) (\(variant)), \(message)\n\(worlds)"
  }
}
