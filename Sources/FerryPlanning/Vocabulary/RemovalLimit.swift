// Ferry: offline-first sync for Parse Server. MIT licence.

/// How many of a class's records may be removed within a day without a confirmation.
///
/// A removal waits when it is more than the share and more than the count, or when it empties a
/// class that had at least five.
public struct RemovalLimit: Sendable, Equatable {
  /// The share of the class, from 0 to 1.
  public var share = 0.25
  /// A number that always passes.
  public var count = 20
  /// Whether a class of five or more may be emptied.
  public var allowsEmptying = false

  /// A quarter of the class, and at least 20 records.
  public init() {}

  /// A limit of one's own.
  public init(share: Double, count: Int, allowsEmptying: Bool = false) {
    self.share = share
    self.count = count
    self.allowsEmptying = allowsEmptying
  }
}
