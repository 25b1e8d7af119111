// Ferry: offline-first sync for Parse Server. MIT licence.

/// How many of a class's records may be removed within a day without a confirmation.
///
/// A removal waits if it exceeds both the share and the count, or if it empties a class that had at
/// least five records.
public struct RemovalLimit: Sendable, Equatable {
  /// The share of the class, from 0 to 1.
  public var share = 0.25
  /// A number of removals that always passes.
  public var count = 20
  /// Whether a class of five or more may be emptied.
  public var allowsEmptying = false

  /// A quarter of the class, and at least 20 records.
  public init() {}

  /// Makes a limit.
  public init(share: Double, count: Int, allowsEmptying: Bool = false) {
    self.share = share
    self.count = count
    self.allowsEmptying = allowsEmptying
  }
}
