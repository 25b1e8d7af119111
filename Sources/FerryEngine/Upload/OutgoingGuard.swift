// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import FerryStore

/// Holds back deletes that look like an accident, such as a tool's `DELETE FROM Game`, until the
/// user confirms.
struct OutgoingGuard {
  let context: StageContext

  /// The deletes that may be sent; those of a held class stay in the outbox.
  func passing(_ writes: [UploadPlanner.Write]) throws(SyncError) -> [UploadPlanner.Write] {
    var passing: [UploadPlanner.Write] = []
    for (className, writes) in Dictionary(grouping: writes, by: \.key.className)
      .sorted(by: { $0.key < $1.key })
    {
      if let removal = try held(className, writes) {
        try hold(removal, writes)
      } else {
        passing += writes
      }
    }
    return passing
  }

  private func held(
    _ className: String, _ writes: [UploadPlanner.Write]
  ) throws(SyncError) -> GuardedRemoval? {
    let (objectIDs, local, tally) = try context.read { reader in
      (
        try reader.entries(writes.map(\.key)).values.map(\.objectID),
        try reader.acknowledgedCount(of: className),
        try reader.state(.classState(className)).removals
      )
    }
    let deleteGuard = DeleteGuard(
      limit: context.options.removalLimit, confirmed: context.confirmedRemovals)
    let action = deleteGuard.action(
      className, on: .server, removing: objectIDs, of: local + objectIDs.count,
      removedToday: tally.on(context.environment.day).server)
    guard case .hold(let removal) = action else { return nil }
    return removal
  }

  private func hold(_ removal: GuardedRemoval, _ writes: [UploadPlanner.Write]) throws(SyncError) {
    let state = OutboxEntry.State.blocked(by: .confirmation(removal.confirmation))
    let keys = writes.map { ($0.key, state) }
    _ = try context.write(.full) { transaction in
      try Blocking(context: context, stage: .deleteDeleted)
        .record(Dictionary(keys, uniquingKeysWith: { $1 }), in: transaction)
    }
    context.guarded(
      removal,
      "\(removal.count) of \(removal.total) records of \(removal.className) were deleted locally, which "
        + "looks like an accident. The engine deleted none of them on the server. If the deletes are "
        + "meant, confirm \(removal.confirmation). If not, insert the rows again under their object "
        + "ids.")
    context.ledger.act(
      writes.map {
        SyncAction(
          .hold, in: .deleteDeleted, className: $0.key.className, localID: $0.key.localID,
          reason: "More deletes than pass without a confirmation.")
      })
  }
}
