// Ferry: offline-first sync for Parse Server. MIT licence.

/// How Ferry finds records that were deleted on the server; Parse Server keeps no record of
/// deletions.
public enum DeletionStrategy: Sendable, Hashable {
  /// Ferry compares counts by ranges of `createdAt` and lists only ranges that differ. The default.
  case counting
  /// Ferry lists all ids and versions of the class in every sync. The cost grows with the class.
  case fullScan
  /// Ferry reads the log of deletions that its Cloud Code keeps on the server (`Tools/CloudCode`).
  ///
  /// It takes one request in each sync, whatever the size of the class, and counts nothing. Ferry asks for each record
  /// that the log names once more before its row goes. If the server has no such log, or the log begins after the last
  /// sync, Ferry compares counts as with ``counting``, and says so in a notice. A class with a filter is counted as well.
  ///
  /// ```swift
  /// Entity("Game") { Field("title", .text) }.deletions(.deletionLog)
  /// ```
  case deletionLog
  /// Ferry asks the function of its Cloud Code which records are gone (`Tools/CloudCode`), among those that the store has.
  ///
  /// It compares counts as with ``counting``, and asks only where the server counts fewer records than there are rows: one
  /// request for each 1,000 rows, and in a large class only for those ranges of `createdAt` that differ. If the answer
  /// does not explain the count, or the server has no such function, Ferry lists the ranges. A notice says so of a function
  /// that cannot be used. Where the server does not allow to count, each sync asks for all rows.
  ///
  /// ```swift
  /// Entity("Game") { Field("title", .text) }.deletions(.cloudFunction)
  /// ```
  case cloudFunction
  /// A Boolean field marks deleted rows. A local delete sets the field on the server, and a record
  /// that arrives with it leaves the table.
  case softDelete(field: String)
  /// Rows stay in the table when their records are deleted on the server.
  case never
}
