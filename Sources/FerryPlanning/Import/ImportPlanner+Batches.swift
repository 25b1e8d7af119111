// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel

// Plain records: without an unsent change, without a client key, not marked as deleted, not in quarantine.
// `planRecord` decides alike; this decides from what differs, without the values.
extension ImportPlanner {
  /// The plan for a batch of plain records, of which the store has inserted those that it did not have.
  package func plan(_ batch: RowBatch, _ comparison: BatchComparison) -> BatchPlan {
    var plan = BatchPlan()
    plan.unchanged = comparison.same
    plan.actions.reserveCapacity(comparison.inserted.count + comparison.matches.count)
    var insert = action(.insert)
    for row in comparison.inserted {
      insert.objectID = batch.objectID(row)
      plan.actions.append(insert)
    }
    // Most updates of a page change the same fields.
    var updates: [FieldPositions: SyncAction] = [:]
    for match in comparison.matches {
      guard match.isAcknowledged else {
        plan.undecided.append(match.row)
        continue
      }
      plan.overwritten.append(match)
      if match.differing.isEmpty && !match.hasOtherACL {
        plan.unchanged += 1
      } else {
        var update = updates[match.differing] ?? action(.update, of: match.differing)
        if updates[match.differing] == nil { updates[match.differing] = update }
        update.objectID = batch.objectID(match.row)
        update.localID = match.localID
        plan.actions.append(update)
      }
    }
    return plan
  }

  /// An action without a record.
  private func action(
    _ kind: SyncAction.Kind, of positions: FieldPositions = FieldPositions()
  ) -> SyncAction {
    SyncAction(
      kind, in: stage, className: entity.name, fields: positions.map { entity.fields[$0].name })
  }
}
