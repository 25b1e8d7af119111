// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import FerryStore

/// Rows that triggers of other programs removed while the engine wrote.
///
/// Nobody has decided that their records go, so the rows come back with their unsent edits. Where a trigger removes a
/// row again at once, a conflict record keeps it if the server does not have it as it was. The next comparison tries
/// again, so that a conflict record of any other row would be one more with each sync.
struct TriggeredRemoval {
  private var putBack: [String: Int] = [:]
  private var actions: [SyncAction] = []
  /// The trigger, or one of several, as the subject of a clause.
  private var trigger = ""

  /// Settles what the triggers removed in a transaction; call it last.
  init(in transaction: any SyncTransaction, now: Timestamp) throws(StoreError) {
    let removals = try transaction.putBackRowsRemovedByTriggers()
    for row in removals.putBack { putBack[row.className, default: 0] += 1 }
    guard !removals.isEmpty else { return }
    // A trigger of any table may remove rows of this one.
    trigger = ForeignRule(.trigger).named(among: try transaction.foreignTriggers(of: nil))
    let gone = Dictionary(grouping: removals.gone, by: \.className)
    for (className, rows) in gone.sorted(by: { $0.key < $1.key }) {
      try settle(rows, of: className, removals.undeclared, in: transaction, now)
    }
  }

  private mutating func settle(
    _ rows: [Record], of className: String, _ undeclared: [RecordKey: UndeclaredFields],
    in transaction: any SyncTransaction, _ now: Timestamp
  ) throws(StoreError) {
    let planner = RemovalPlanner(
      className: className, deletionPolicy: .deleteWins, userID: nil, now: now,
      foldedThrough: try transaction.foldedThrough())
    let entries = try transaction.outboxEntries(of: className, localIDs: rows.map(\.localID))
    let plan = planner.plan(
      rows, entries: Dictionary(entries.map { ($0.localID, $0) }) { first, _ in first },
      undeclared: Dictionary(
        rows.compactMap { row in undeclared[row.key].map { (row.localID, $0) } },
        uniquingKeysWith: { first, _ in first }))
    let confirmed = Set(rows.filter { $0.createdAt != nil }.map(\.localID))
    for var conflict in plan.conflicts
    where conflict.reason != .removed || !confirmed.contains(conflict.record.localID) {
      conflict.reason = .removedByTrigger
      try transaction.recordConflict(conflict)
    }
    for entry in plan.done { try transaction.keep(entry, isDone: true) }
    actions += plan.actions.map {
      SyncAction(
        $0.kind, in: .deleteMissing, className: className, localID: $0.localID,
        objectID: $0.objectID, reason: "Removed by \(trigger).")
    }
  }

  /// Reports it, after the commit.
  func tell(_ context: StageContext) {
    for (className, count) in putBack.sorted(by: { $0.key < $1.key }) {
      context.notice(
        SyncNotice(
          .removedByTrigger, className: className,
          "While the sync wrote, \(trigger) removed or replaced \(count.counted("row")) of \(className). The sync put "
            + "\(count == 1 ? "it" : "them") back, with unsent edits. Let the trigger leave out what a sync writes."
        ))
    }
    context.ledger.act(actions)
    for (className, actions) in Dictionary(grouping: actions, by: \.className) {
      context.notice(
        SyncNotice(
          .rowRefused, className: className,
          "As soon as the sync writes \(actions.count.counted("row")) of \(className), \(trigger) removes "
            + "\(actions.count == 1 ? "it" : "them"). Conflict records keep unsent edits, and everything else "
            + "went on. Drop the trigger; each sync fetches the records again that the server has.")
      )
    }
  }
}
