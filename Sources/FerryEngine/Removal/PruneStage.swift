// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import FerryStore

/// Drops history and conflict records that nobody needs any more, after all that a run was asked to do.
///
/// A run drops so much at most, in transactions that keep no writer waiting long; the next goes on.
struct PruneStage: Stage {
  let name: StageName? = nil

  /// How long history is kept for readers who have not said how far they have read.
  static let retention = days(7)
  /// How many of the newest changes are kept for them.
  static let newest: Int64 = 50_000
  /// How long history is kept for a named reader who has not read it.
  static let unreadRetention = days(30)
  /// How long conflict records are kept that the app has seen or restored.
  static let seenConflictRetention = days(90)
  /// How long those are kept that nobody has seen.
  static let unseenConflictRetention = days(365)
  /// How many of the newest conflict records are kept, however old they are.
  static let newestConflicts: Int64 = 1000
  private static let rowsPerTransaction = 10_000
  private static let conflictsPerTransaction = 1000
  private static let transactionsPerRun = 30

  func run(in context: StageContext) throws(SyncError) {
    let now = context.environment.now()
    let history = HistoryRetention(
      since: now.adding(.zero - Self.retention), newest: Self.newest,
      unreadSince: now.adding(.zero - Self.unreadRetention))
    let conflicts = ConflictRetention(
      newest: Self.newestConflicts, seenSince: now.adding(.zero - Self.seenConflictRetention),
      unseenSince: now.adding(.zero - Self.unseenConflictRetention))
    for _ in 0..<Self.transactionsPerRun {
      try context.checkCancellation()
      let isMoreLeft = try context.write(.normal) { transaction throws(StoreError) in
        let areRows = try transaction.pruneHistory(keeping: history, limit: Self.rowsPerTransaction)
        let areConflicts = try transaction.pruneConflicts(
          keeping: conflicts, limit: Self.conflictsPerTransaction)
        return areRows || areConflicts
      }
      guard isMoreLeft else { return }
    }
  }

  private static func days(_ count: Int) -> Duration { .seconds(count * 24 * 3600) }
}
