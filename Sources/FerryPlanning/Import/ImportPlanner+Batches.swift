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
    for row in comparison.inserted {
      plan.actions.append(action(.insert, objectID: batch.objectID(row)))
    }
    for match in comparison.matches {
      guard match.isAcknowledged else {
        plan.undecided.append(match.row)
        continue
      }
      plan.overwritten.append(match)
      if match.differing.isEmpty && !match.hasOtherACL {
        plan.unchanged += 1
      } else {
        plan.actions.append(
          action(
            .update, objectID: batch.objectID(match.row), localID: match.localID,
            fields: match.differing.map { entity.fields[$0].name }))
      }
    }
    return plan
  }

  private func action(
    _ kind: SyncAction.Kind, objectID: String, localID: LocalID? = nil, fields: [String] = []
  ) -> SyncAction {
    SyncAction(
      kind, in: stage, className: entity.name, localID: localID, objectID: objectID, fields: fields)
  }
}
