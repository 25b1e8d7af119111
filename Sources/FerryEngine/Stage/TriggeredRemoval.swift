// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import FerryStore

/// Rows that triggers of other programs removed while the engine wrote.
///
/// Nobody has decided that their records go: each stays on the server, and the next comparison brings its row back.
/// Conflict records keep the rows that the server does not have as they were. A trigger may remove a row again and
/// again, so that a record of any other row would be one more with each sync.
struct TriggeredRemoval {
  private var actions: [SyncAction] = []

  /// Settles what the triggers removed in a transaction; call it last.
  init(in transaction: any SyncTransaction, now: Timestamp) throws(StoreError) {
    let rows = try transaction.takeRowsRemovedByTriggers()
    for (className, rows) in Dictionary(grouping: rows, by: \.className).sorted(by: {
      $0.key < $1.key
    }) {
      let planner = RemovalPlanner(
        className: className, deletionPolicy: .deleteWins, now: now,
        foldedThrough: try transaction.foldedThrough())
      let entries = try transaction.outboxEntries(of: className, localIDs: rows.map(\.localID))
      let plan = planner.plan(
        rows, entries: Dictionary(entries.map { ($0.localID, $0) }) { first, _ in first })
      let confirmed = Set(rows.filter { $0.createdAt != nil }.map(\.localID))
      for conflict in plan.conflicts
      where conflict.reason != .removed || !confirmed.contains(conflict.record.localID) {
        try transaction.recordConflict(conflict)
      }
      for entry in plan.done { try transaction.keep(entry, isDone: true) }
      actions += plan.actions
    }
  }

  /// Reports it, after the commit.
  func tell(_ context: StageContext) {
    guard !actions.isEmpty else { return }
    context.ledger.act(actions)
    for (className, actions) in Dictionary(grouping: actions, by: \.className) {
      context.notice(
        SyncNotice(
          .removedByTrigger, className: className,
          "A trigger of another program removed \(actions.count) rows of \(className) while the sync wrote. "
            + "Conflict records keep those with unsent edits, and each comparison brings back the rows whose "
            + "records the server has. Let the trigger leave out what a sync writes."))
    }
  }
}
