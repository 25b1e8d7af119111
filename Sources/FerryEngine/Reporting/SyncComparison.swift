// Ferry: offline-first sync for Parse Server. MIT licence.

/// How much of each class a run compares with the server record by record.
///
/// What has changed is always downloaded, and deletions are looked for as each class declares it. The
/// comparison finds what neither shows: an update that was committed long after its stamp, or one
/// record missed while another one was deleted.
public enum SyncComparison: String, Sendable, Hashable, CaseIterable {
  /// A share of each class a day, as `SyncOptions.dailySweepShare` says; most runs have none to do.
  case rolling
  /// All of every class, now.
  ///
  /// For after a change of roles or permissions, which a server tells nobody about, and whenever in
  /// doubt. It costs a request for every `SyncOptions.pageSize` records.
  case everything
}
