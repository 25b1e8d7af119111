// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import FerryStore

/// Decides what becomes of rows whose records are gone on the server: a pure function.
struct RemovalPlanner {
  let className: String
  let deletionPolicy: DeletionPolicy
  /// The class is never removed: its rows stay, and only unsent edits are decided about.
  var keepsRows = false
  /// The present, for the conflict records.
  let now: Timestamp

  struct Plan: Equatable {
    var removed: [LocalID] = []
    /// Rows whose unsent edits win: to be created anew with all they hold.
    var recreated: [Record] = []
    /// Entries that go with their rows.
    var done: [OutboxEntry] = []
    var conflicts: [ConflictRecord] = []
    var actions: [SyncAction] = []
  }

  /// What to do with rows as they are now, and with their unsent changes by local id.
  func plan(_ rows: [Record], entries: [LocalID: OutboxEntry]) -> Plan {
    var plan = Plan()
    for row in rows {
      let entry = entries[row.localID]
      let isEdited = entry.map { !$0.changed.isEmpty } ?? false
      if isEdited && deletionPolicy == .editWins {
        plan.recreated.append(row)
        plan.actions.append(
          action(.merge, row, "Gone on the server and edited here: it is created anew."))
        continue
      }
      if let entry { plan.done.append(entry) }
      if keepsRows {
        guard entry != nil else { continue }
        plan.actions.append(
          action(
            .merge, row,
            "Gone on the server. The class is never removed, so the row stays here with its edit, "
              + "which is not sent."))
        continue
      }
      plan.removed.append(row.localID)
      plan.conflicts.append(
        ConflictRecord(
          time: now, record: row.reference, reason: isEdited ? .deletedRemotely : .removed,
          lost: row.fields, isWholeRecord: true))
      plan.actions.append(
        action(
          .remove, row,
          isEdited ? "Gone on the server; the unsent edit is among the conflicts." : nil))
    }
    return plan
  }

  private func action(_ kind: SyncAction.Kind, _ row: Record, _ reason: String?) -> SyncAction {
    SyncAction(
      kind, in: .deleteMissing, className: className, localID: row.localID, objectID: row.objectID,
      reason: reason)
  }
}
