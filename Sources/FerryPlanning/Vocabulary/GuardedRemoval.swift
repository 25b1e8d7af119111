// Ferry: offline-first sync for Parse Server. MIT licence.

/// Removals that the delete guard holds back, until someone confirms just this set.
public struct GuardedRemoval: Sendable, Equatable {
  /// Where the rows would be removed.
  public enum Side: String, Sendable {
    /// Here, because they are gone on the server.
    case local
    /// On the server, because they were deleted here.
    case server
  }

  /// The class.
  public var className: String
  /// Where the rows would be removed.
  public var side: Side
  /// How many.
  public var count: Int
  /// Of how many.
  public var total: Int
  /// Which, in the order of their ids.
  public var objectIDs: [String]
  /// Names the set; give it to `SyncOptions.confirmedRemovals` to let it pass.
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
