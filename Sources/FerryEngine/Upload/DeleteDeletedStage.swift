// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import FerryStore

/// Stage 6: deletes locally deleted rows on the server, if the guard allows it.
struct DeleteDeletedStage: Stage {
  let name: StageName? = .deleteDeleted

  func run(in context: StageContext) throws(SyncError) {
    let totals = try UnsentTotals(.delete, in: context)
    guard !totals.counts.isEmpty else { return }
    // The guard decides about all deletes of a class; the next run sends those that come later.
    let start = try context.read { reader throws(StoreError) in try reader.lastToken() }
    let outgoing = try OutgoingGuard(deletesIn: context, upTo: start)
    var progress = UploadProgress(of: totals.counts)
    try OutboxPage.forEach(in: context, unless: { $0.foldedThrough > start }) {
      page throws(SyncError) in
      var wave = page.planner.deletes()
      let removals = Set(page.entries.filter { $0.kind == .delete }.map(\.key))
      wave.stuck.merge(page.waitingForOwners.filter { removals.contains($0.key) }) { $1 }
      try Blocking(context: context, stage: .deleteDeleted).record(wave.stuck)
      let passing = try outgoing.passing(wave.writes)
      // Members go last: a removal gives the owner a new version, and the delete of the owner would wait for that.
      let members = passing.filter { context.schema.entity($0.key.className)?.membership != nil }
      let keys = Set(members.map(\.key))
      try send(passing.filter { !keys.contains($0.key) }, &progress, in: context)
      try send(members, &progress, in: context)
    }
  }

  private func send(
    _ writes: [UploadPlanner.Write], _ progress: inout UploadProgress, in context: StageContext
  ) throws(SyncError) {
    guard !writes.isEmpty else { return }
    let usesBatches = try BatchProbe(context: context).isWorthwhile(for: writes)
    let remainder = try Uploader(.deleteDeleted, in: context, usesBatches: usesBatches)
      .send(writes, &progress)
    try OutcomeResolution(context: context, stage: .deleteDeleted).resolve(remainder.inDoubt)
  }
}
