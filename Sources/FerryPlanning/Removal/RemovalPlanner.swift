// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel

/// Decides about rows whose records are gone on the server; a pure function.
package struct RemovalPlanner {
  package let className: String
  package let deletionPolicy: DeletionPolicy
  /// The class is never removed: its rows stay, and only unsent edits are decided about.
  package let keepsRows: Bool
  /// The user who syncs; nil for nobody and for the master key.
  package let userID: String?
  /// The present time, for conflict records.
  package let now: Timestamp
  /// How far the log is folded.
  package let foldedThrough: HistoryToken

  package init(
    className: String, deletionPolicy: DeletionPolicy, keepsRows: Bool = false, userID: String?,
    now: Timestamp, foldedThrough: HistoryToken
  ) {
    self.userID = userID
    self.keepsRows = keepsRows
    self.className = className
    self.deletionPolicy = deletionPolicy
    self.now = now
    self.foldedThrough = foldedThrough
  }

  package struct Plan: Equatable {
    package var removed: [LocalID] = []
    /// Rows whose unsent edits win, or that the app inserted again, to be created again with all their values.
    package var recreated: [Recreation] = []
    /// Entries that are removed with their rows.
    package var done: [OutboxEntry] = []
    package var conflicts: [ConflictRecord] = []
    package var actions: [SyncAction] = []
  }

  /// The plan for the present rows, their unsent changes and undeclared fields, by local id.
  ///
  /// An edit of an undeclared field never wins, because this program cannot send it.
  package func plan(
    _ rows: [Record], entries: [LocalID: OutboxEntry],
    undeclared: [LocalID: UndeclaredFields] = [:]
  ) -> Plan {
    var plan = Plan()
    for row in rows {
      let entry = entries[row.localID]
      // A record whose list leaves the user out is there for others. The edit of the list itself may have arrived.
      let isHidden = userID.flatMap { AccessList(row.acl)?.hides(from: $0) } ?? false
      let isEdited = !isHidden && entry.map { !$0.edited.isEmpty } ?? false
      let others = undeclared[row.localID] ?? UndeclaredFields()
      let isOvertaken = entry?.hasLateDelete ?? false
      if isOvertaken || isEdited && deletionPolicy == .editWins {
        plan.recreated.append(
          Recreation(
            of: row, undeclared: others, keepsConflict: !isOvertaken, now: now,
            foldedThrough: foldedThrough))
        let happened =
          isOvertaken ? "inserted again after a delete that came late" : "edited locally"
        plan.actions.append(
          action(.merge, row, "Gone on the server and \(happened): it is created anew."))
        continue
      }
      if let entry { plan.done.append(entry) }
      if keepsRows {
        guard let entry else { continue }
        if isEdited { plan.conflicts.append(unsentEdits(of: entry, row)) }
        plan.actions.append(
          action(
            .merge, row,
            "Gone on the server. The class is never removed, so the row stays here with its edit, "
              + "which is not sent. A conflict record keeps it."))
        continue
      }
      let losesEdit = isEdited || others.isEdited
      plan.removed.append(row.localID)
      plan.conflicts.append(
        ConflictRecord(
          time: now, record: row.reference, reason: losesEdit ? .deletedRemotely : .removed,
          lost: row.fields.merging(others.values), isWholeRecord: true, acl: row.acl))
      plan.actions.append(
        action(.remove, row, losesEdit ? DeletionPolicy.sentenceOfLostEdit : nil))
    }
    return plan
  }

  /// The edits of a row that stays: they would be overwritten if the server showed the record again.
  private func unsentEdits(of entry: OutboxEntry, _ row: Record) -> ConflictRecord {
    let edits = entry.edited.map { ($0, row[$0]) }
    return ConflictRecord(
      time: now, record: row.reference, reason: .deletedRemotely,
      lost: Fields(Dictionary(edits, uniquingKeysWith: { first, _ in first })), acl: row.acl)
  }

  private func action(_ kind: SyncAction.Kind, _ row: Record, _ reason: String?) -> SyncAction {
    SyncAction(
      kind, in: .deleteMissing, className: className, localID: row.localID, objectID: row.objectID,
      reason: reason)
  }
}
