// Ferry: offline-first sync for Parse Server. MIT licence.

/// How rows that were deleted on the server are found; Parse keeps no record of deletions.
public enum DeletionStrategy: Sendable, Hashable {
  /// Compares counts by ranges of `createdAt` and lists only ranges that differ. The default.
  case counting
  /// Lists all ids and versions of the class every time: exact, and proportional to the class.
  case fullScan
  /// A Boolean field marks deleted rows: a DELETE here sets it there, a row that arrives with it leaves.
  case softDelete(field: String)
  /// Rows that vanish on the server stay here.
  case never
}
