// Ferry: offline-first sync for Parse Server. MIT licence.

/// Removals that the delete guard holds back until the user confirms exactly this set.
public struct GuardedRemoval: Sendable, Equatable {
  /// The side of the removals.
  public enum Side: String, Sendable {
    /// Local rows, because their records are gone on the server.
    case local
    /// Records on the server, because their rows were deleted locally.
    case server
  }

  /// The class.
  public var className: String
  /// The side of the removals.
  public var side: Side
  /// The number of removals.
  public var count: Int
  /// The number of records before the removals.
  public var total: Int
  /// The object ids, sorted.
  public var objectIDs: [String]
  /// Names the set; give it to `startSync(confirming:)` to let it pass.
  public var confirmation: String

  package init(
    className: String, side: Side, count: Int, total: Int, objectIDs: [String] = [],
    confirmation: String
  ) {
    self.className = className
    self.side = side
    self.count = count
    self.total = total
    self.objectIDs = objectIDs
    self.confirmation = confirmation
  }
}
