// Ferry: offline-first sync for Parse Server. MIT licence.

/// The fate of unsent changes at a log-out.
public struct LogOutReport: Sendable, Equatable {
  /// The number of changes that are still unsent.
  public var kept = 0
  /// The number of changes that Ferry took back.
  public var discarded = 0

  /// A report, by default of a store without unsent changes.
  public init(kept: Int = 0, discarded: Int = 0) {
    self.kept = kept
    self.discarded = discarded
  }
}
