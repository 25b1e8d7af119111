// Ferry: offline-first sync for Parse Server. MIT licence.

public import FerryPlanning

/// The progress of a class within a stage.
public struct SyncProgress: Sendable, Equatable {
  /// The stage.
  public var stage: StageName
  /// The class.
  public var className: String
  /// Records done.
  public var done: Int
  /// Records expected, if that is known.
  public var expected: Int?

  package init(stage: StageName, className: String, done: Int, expected: Int?) {
    self.stage = stage
    self.className = className
    self.done = done
    self.expected = expected
  }
}
