// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel

// Records with unsent local changes.
extension ImportPlanner {
  package func planEntry(
    _ entry: OutboxEntry, _ record: ServerRecord, _ situation: ImportSituation,
    _ plan: inout ImportPlan
  ) {
    switch entry.kind {
    case .update:
      guard let row = situation.rows[record.objectID] else {
        // The row no longer has what the entry wanted to send.
        plan.done.append(entry)
        guard !entity.isFlagged(record) else {
          plan.unchanged += 1
          return
        }
        plan.rows.append(self.row(record, localID: nil))
        plan.actions.append(action(.insert, record))
        return
      }
      let undeclared = situation.undeclared[row.localID] ?? UndeclaredFields()
      if entity.isFlagged(record) {
        planFlagged(entry, record, row, undeclared, &plan)
      } else {
        planUpdate(entry, record, row, &plan)
        // The version stays as long as something is unsent.
        let isDone = plan.done.last?.key == entry.key
        if isDone && isOutside(record) && !undeclared.isEdited {
          planEviction(record, row.localID, &plan)
        }
      }
    case .delete:
      planDelete(entry, record, situation, &plan)
    case .create, .deleteAfterCreate:
      // The match was resolved before; otherwise it is unknown whose record this is.
      plan.unchanged += 1
    }
  }

  /// Both sides may have changed the row.
  private func planUpdate(
    _ before: OutboxEntry, _ record: ServerRecord, _ row: Record, _ plan: inout ImportPlan
  ) {
    var entry = before
    let remote = record.contents(of: entity)
    let isDone = confirm(&entry, remote, record)
    let outcome = merge(entry, row, record)
    let isJoined = entry.join(
      outcome.changed, onto: remote, version: record.version, isConfirmed: isDone)
    if isJoined {
      plan.done.append(entry)
    } else if entry != before {
      plan.entries.append(entry)
    }
    note(outcome, of: row, &plan)
    let differing = self.differing(row, outcome.values)
    if !differing.isEmpty || row.version != record.version || row.acl != outcome.acl {
      plan.rows.append(
        self.row(
          record, over: row, localID: row.localID, acl: outcome.acl, values: outcome.values,
          changed: positions(of: differing)))
    }
    if differing.isEmpty && outcome.conflicts.isEmpty {
      plan.unchanged += 1
    } else {
      plan.actions.append(
        action(
          .merge, record, localID: row.localID, fields: outcome.conflicts.union(differing),
          reason: outcome.conflictSentence))
    }
  }

  /// Whether this listing finishes an entry that only waited for one.
  private func confirm(
    _ entry: inout OutboxEntry, _ remote: Fields, _ record: ServerRecord
  ) -> Bool {
    guard let listingStartedAt, entry.state == .confirming || entry.mayStillCommit else {
      return false
    }
    return entry.confirm(
      remote: remote, createdAt: record.createdAt, listingStartedAt: listingStartedAt,
      maximumRequestDuration: maximumRequestDuration)
  }

  /// Deleted locally and still on the server, perhaps with a newer edit.
  private func planDelete(
    _ before: OutboxEntry, _ record: ServerRecord, _ situation: ImportSituation,
    _ plan: inout ImportPlan
  ) {
    if entity.isFlagged(record) {
      // The record is deleted, as the entry wanted.
      var entry = before
      if entry.setAsideIncrementsOfMarked() {
        if entry != before { plan.entries.append(entry) }
      } else {
        plan.done.append(before)
      }
      plan.unchanged += 1
      return
    }
    var entry = before
    // An acknowledged delete, and the record exists again.
    if entry.state == .confirming { _ = confirm(&entry, record.contents(of: entity), record) }
    if entry.state != .confirming, isEditedRemotely(record, since: entry) {
      // The app did not delete a duplicate, so an edit does not bring it back.
      let isDuplicate = originalID(ofDuplicate: record, situation) != nil
      planEditedRemotely(entry, record, isDuplicate ? .deleteWins : deletionPolicy, &plan)
    } else {
      // The delete goes on as it was: the record is as the app knew it, or as a late create made it.
      entry.meet(record.version)
      // Should the app take the delete back, its row has the version that was met, and so its list.
      if entry.acl.servedAccessList != record.acl.servedAccessList { entry.keepBase() }
      entry.acl = record.acl
      if entry != before { plan.entries.append(entry) }
      plan.unchanged += 1
    }
  }

  /// Whether the record differs from what the delete was about.
  ///
  /// A program without a field may have folded the delete, so that nobody knows the field's value.
  ///
  /// A list that changes alone stops no delete, but one that takes an unsent edit of the list along.
  private func isEditedRemotely(_ record: ServerRecord, since entry: OutboxEntry) -> Bool {
    let list = record.acl.servedAccessList
    if entry.withdrawn[Fields.accessList] != nil, entry.acl.servedAccessList != list,
      !entry.isRemoteUnchanged(Fields.accessList, list)
    {
      return true
    }
    return zip(entity.fields, record.values).contains { field, value in
      let isUnknown = unknownFields.contains(field.name) && entry.base[field.name] == nil
      return !isUnknown && !entry.isRemoteUnchanged(field.name, value)
    }
  }

  /// Another client edited the record that the app deleted; the policy decides.
  private func planEditedRemotely(
    _ before: OutboxEntry, _ record: ServerRecord, _ policy: DeletionPolicy,
    _ plan: inout ImportPlan
  ) {
    let remote = record.fields(of: entity)
    let shown = Record(
      className: entity.name, localID: before.localID, objectID: record.objectID, fields: remote,
      acl: record.acl, createdAt: record.createdAt, version: record.version)
    switch policy {
    case .deleteWins:
      var entry = before
      plan.conflicts.append(conflictRecord(shown, .editedRemotely, remote, isWholeRecord: true))
      entry.persist(onto: remote, version: record.version)
      entry.acl = record.acl
      plan.entries.append(entry)
      plan.actions.append(
        action(
          .merge, record, localID: entry.localID,
          reason:
            "Edited on the server and deleted locally: the delete will be sent, and the server's "
            + "values are kept as a conflict record."))
    case .editWins: planTakenBack(before, shown, record, &plan)
    }
  }

  /// The row comes back, and with it the edits that the app had made before it deleted the row.
  private func planTakenBack(
    _ before: OutboxEntry, _ shown: Record, _ record: ServerRecord, _ plan: inout ImportPlan
  ) {
    let entry = before.takingBackDelete()
    var row = shown
    row.contents = before.baseWithAccessList.merging(before.withdrawn)
    let outcome = merge(entry, row, record)
    row.fields = entity.fields(of: outcome.values)
    row.acl = outcome.acl
    // A listing with the filter would not show the record, so no row comes back.
    let isOutside = outcome.changed.isEmpty && isOutside(record)
    if !isOutside { plan.reinstated.append(row) }
    if outcome.changed.isEmpty {
      plan.done.append(entry)
    } else {
      var unsent = entry
      unsent.changed = outcome.changed
      unsent.rebase(onto: shown.contents, version: record.version)
      plan.entries.append(unsent)
    }
    note(outcome, of: row, &plan)
    plan.actions.append(
      action(
        isOutside ? .evict : .insert, record, localID: entry.localID, fields: outcome.conflicts,
        reason: [
          "Edited on the server and deleted locally: the edit stays.", outcome.conflictSentence,
        ]
        .compactMap(\.self).joined(separator: " ")))
  }

  private func merge(
    _ entry: OutboxEntry, _ row: Record, _ record: ServerRecord
  ) -> ThreeWayMerge.Outcome {
    ThreeWayMerge(
      entity: entity, policy: policy, unknownFields: unknownFields,
      everListedFields: everListedFields
    ).merge(entry, row: row, remote: record.values, acl: record.acl)
  }

  /// Notes what the merge of a row lost, and what the app's resolver did wrong.
  private func note(_ outcome: ThreeWayMerge.Outcome, of row: Record, _ plan: inout ImportPlan) {
    for loss in outcome.losses {
      plan.conflicts.append(conflictRecord(row, loss.reason, loss.fields, kept: loss.kept))
    }
    if let sentence = outcome.resolverFailure {
      plan.resolverFailures.append(ResolverFailure(objectID: row.objectID, sentence: sentence))
    }
  }

  /// Edited locally, and marked as deleted on the server.
  private func planFlagged(
    _ before: OutboxEntry, _ record: ServerRecord, _ row: Record, _ undeclared: UndeclaredFields,
    _ plan: inout ImportPlan
  ) {
    guard let flag = markToTakeBack(by: before) else {
      plan.done.append(before)
      planRemoval(
        record, row.localID, row, undeclared, isEdited: !before.edited.isEmpty, &plan)
      return
    }
    // The edit stays: it is sent together with the removal of the mark.
    guard !before.changed.contains(flag) else { return planUpdate(before, record, row, &plan) }
    var entry = before
    entry.takeBack(mark: flag)
    planUpdate(entry, record, row, &plan)
    if !plan.entries.contains(where: { $0.localID == entry.localID }) { plan.entries.append(entry) }
  }
}

extension ImportPlanner {
  /// The field of the soft-delete mark, if the unsent edit takes the mark back.
  func markToTakeBack(by entry: OutboxEntry) -> String? {
    guard case .softDelete(let mark) = entity.deletionStrategy, entry.kind == .update else {
      return nil
    }
    // Or it is the mark of this device's own delete, which came late.
    if entry.takesBack(mark: mark) || entry.hasLateDelete { return mark }
    return !entry.edited.isEmpty && deletionPolicy == .editWins ? mark : nil
  }
}

extension Entity {
  /// Values in the order of the declared fields, by name; without those that are null.
  fileprivate func fields(of values: [Value]) -> Fields {
    Fields(
      Dictionary(
        zip(fields.map(\.name), values).filter { !$1.isNull },
        uniquingKeysWith: { first, _ in first }
      ))
  }
}
