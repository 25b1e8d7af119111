// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryPlanning
import FerryStore

/// Stage 6: deletes locally deleted rows on the server, if the guard allows it.
struct DeleteDeletedStage: Stage {
  let name: StageName? = .deleteDeleted

  func run(in context: StageContext) throws(SyncError) {
    let wave = try OutboxSnapshot(context).planner.deletes()
    try Blocking(context: context, stage: .deleteDeleted).record(wave.stuck)
    let writes = try OutgoingGuard(context: context).passing(wave.writes)
    guard !writes.isEmpty else { return }
    let usesBatches = try BatchProbe(context: context).isWorthwhile(for: writes)
    var progress = UploadProgress(of: writes.map(\.key))
    let remainder = try Uploader(.deleteDeleted, in: context, usesBatches: usesBatches)
      .send(writes, &progress)
    try OutcomeResolution(context: context, stage: .deleteDeleted).resolve(remainder.inDoubt)
  }
}
