// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import FerryStore

/// Holds back deletes that look like an accident, such as a tool's `DELETE FROM Game`, until the
/// user confirms.
struct OutgoingGuard {
  private let context: StageContext
  /// The deletes to confirm, by class.
  private var removals: [String: GuardedRemoval] = [:]

  /// Decides about the deletes of each class that can be sent now.
  ///
  /// - Parameters:
  ///   - context: The run.
  ///   - start: The position in history at which the stage began.
  /// - Throws: The error that ends the run: the store cannot be read or written.
  init(deletesIn context: StageContext, upTo start: HistoryToken) throws(SyncError) {
    self.context = context
    var objectIDs: [String: [String]] = [:]
    var held: Set<String> = []
    try OutboxPage.forEach(in: context, unless: { $0.foldedThrough > start }) { page in
      let sent = Set(page.planner.deletes().writes.map(\.key))
      for entry in page.entries where sent.contains(entry.key) {
        objectIDs[entry.className, default: []].append(entry.objectID)
        if case .blocked(.confirmation) = entry.state { held.insert(entry.className) }
      }
    }
    for (className, objectIDs) in objectIDs.sorted(by: { $0.key < $1.key }) {
      removals[className] = try removal(className, objectIDs, isHeld: held.contains(className))
    }
    for (_, removal) in removals.sorted(by: { $0.key < $1.key }) { report(removal) }
  }

  private func removal(
    _ className: String, _ objectIDs: [String], isHeld: Bool
  ) throws(SyncError) -> GuardedRemoval? {
    let side = GuardedRemoval.Side.server
    let key = BookkeepingKey.totalsWhenHeld(className)
    let (local, whenHeld, tally) = try context.read { reader throws(StoreError) in
      (
        try reader.acknowledgedCount(of: className),
        isHeld ? try reader.state(key)[side.rawValue] : nil,
        try reader.state(.classState(className)).removals
      )
    }
    let deleteGuard = DeleteGuard(
      limit: context.options.removalLimit, confirmed: context.confirmedRemovals)
    let action = deleteGuard.action(
      className, on: side, removing: objectIDs, of: local + objectIDs.count, whenHeld: whenHeld,
      removedToday: tally.on(context.environment.day).server)
    switch action {
    case .hold(let removal, let fewest):
      try context.write(.full) { transaction throws(StoreError) in
        try transaction.change(key) { $0[side.rawValue] = fewest }
      }
      return removal
    case .pass:
      context.passed(className, on: side, objectIDs)
      return nil
    }
  }

  private func report(_ removal: GuardedRemoval) {
    context.guarded(
      removal,
      "\(removal.share("record", "was", "were")) deleted locally, which "
        + "looks like an accident. The engine deleted none of them on the server. If the deletes are "
        + "meant, confirm \(removal.confirmation). If not, insert the rows again under their object "
        + "ids, with all their values: the server takes each value that is left out as empty.")
  }

  /// The deletes that may be sent; those of a held class stay in the outbox.
  func passing(_ writes: [UploadPlanner.Write]) throws(SyncError) -> [UploadPlanner.Write] {
    let held = writes.filter { removals[$0.key.className] != nil }
    if !held.isEmpty { try hold(held) }
    return writes.filter { removals[$0.key.className] == nil }
  }

  private func hold(_ writes: [UploadPlanner.Write]) throws(SyncError) {
    let states = writes.compactMap { write in
      removals[write.key.className].map {
        (write.key, OutboxEntry.State.blocked(by: .confirmation($0.confirmation)))
      }
    }
    _ = try context.write(.full) { transaction throws(StoreError) in
      try Blocking(context: context, stage: .deleteDeleted)
        .record(Dictionary(states, uniquingKeysWith: { $1 }), in: transaction)
    }
    context.ledger.act(
      writes.map {
        SyncAction(
          .hold, in: .deleteDeleted, className: $0.key.className, localID: $0.key.localID,
          reason: "More deletes than pass without a confirmation.")
      })
  }
}
