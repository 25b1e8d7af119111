// Ferry: offline-first sync for Parse Server. MIT licence.

/// One field to sort by, also one of the row to which a pointer leads, such as `league.name`.
public struct SortOrder: Sendable, Hashable {
  /// A declared field, `objectId`, `createdAt`, `updatedAt` or `localId`.
  public var field: String
  /// Whether the greatest value comes first.
  public var descending: Bool

  /// The least value first; rows without a value come before all others.
  public static func ascending(_ field: String) -> SortOrder {
    SortOrder(field: field, descending: false)
  }

  /// The greatest first; rows without a value after all others.
  public static func descending(_ field: String) -> SortOrder {
    SortOrder(field: field, descending: true)
  }
}
