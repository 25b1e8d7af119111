// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import FerryStore

/// Drops history that nobody needs any more, after all that a run was asked to do.
///
/// A run drops so much at most, in transactions that keep no writer waiting long; the next goes on.
struct PruneHistoryStage: Stage {
  let name: StageName? = nil

  /// How long history is kept for readers who have not said how far they have read.
  static let retention = Duration.seconds(7 * 24 * 3600)
  /// How many of the newest changes are kept for them.
  static let newest: Int64 = 50_000
  /// How long history is kept for a named reader who has not read it.
  static let unreadRetention = Duration.seconds(30 * 24 * 3600)
  private static let rowsPerTransaction = 10_000
  private static let transactionsPerRun = 30

  func run(in context: StageContext) throws(SyncError) {
    let now = context.environment.now()
    let retention = HistoryRetention(
      since: now.adding(.zero - Self.retention), newest: Self.newest,
      unreadSince: now.adding(.zero - Self.unreadRetention))
    for _ in 0..<Self.transactionsPerRun {
      try context.checkCancellation()
      let isMoreLeft = try context.write(.normal) { transaction throws(StoreError) in
        try transaction.pruneHistory(keeping: retention, limit: Self.rowsPerTransaction)
      }
      guard isMoreLeft else { return }
    }
  }
}
