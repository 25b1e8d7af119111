// Ferry: offline-first sync for Parse Server. MIT licence.

/// How Ferry finds records that were deleted on the server; Parse Server keeps no record of
/// deletions.
public enum DeletionStrategy: Sendable, Hashable {
  /// Ferry compares counts by ranges of `createdAt` and lists only ranges that differ. The default.
  case counting
  /// Ferry lists all ids and versions of the class in every sync. The cost grows with the class.
  case fullScan
  /// A Boolean field marks deleted rows. A local delete sets the field on the server, and a record
  /// that arrives with it leaves the table.
  case softDelete(field: String)
  /// Rows stay in the table when their records are deleted on the server.
  case never
}
