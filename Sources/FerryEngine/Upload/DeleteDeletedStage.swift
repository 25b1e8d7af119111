// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryPlanning
import FerryStore

/// Stage 6: deletes on the server what was deleted here, as far as the guard lets it.
struct DeleteDeletedStage: Stage {
  let name: StageName? = .deleteDeleted

  func run(in context: StageContext) throws(SyncError) {
    let wave = try OutboxSnapshot(context).planner.deletes()
    try Blocking(context: context, stage: .deleteDeleted).record(wave.stuck)
    let writes = try OutgoingGuard(context: context).passing(wave.writes)
    guard !writes.isEmpty else { return }
    let usesBatches = try BatchProbe(context: context).isWorthwhile(for: writes)
    var progress = UploadProgress(of: writes.map(\.key))
    let writesInDoubt = try Uploader(.deleteDeleted, in: context, usesBatches: usesBatches)
      .send(writes, &progress)
    try OutcomeResolution(context: context, stage: .deleteDeleted).resolve(writesInDoubt)
  }
}
