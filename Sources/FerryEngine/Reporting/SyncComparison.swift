// Ferry: offline-first sync for Parse Server. MIT licence.

/// How much of each class a run compares with the server record by record.
///
/// Every run downloads changes, and looks for deletions as each class declares. The comparison
/// finds what both miss: an update that was committed long after its stamp, or one record missed
/// while another one was deleted.
public enum SyncComparison: String, Sendable, Hashable, CaseIterable {
  /// A share of each class a day, by `SyncOptions.dailyScanShare`; most runs compare nothing.
  case rolling
  /// All records of every class.
  ///
  /// Use this after a change of roles or permissions, which the server does not report, and
  /// whenever in doubt. It costs a request for every `SyncOptions.pageSize` records.
  case everything
}
