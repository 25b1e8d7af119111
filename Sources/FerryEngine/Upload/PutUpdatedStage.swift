// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryPlanning
import FerryStore

/// Stage 5: sends local edits to the server.
struct PutUpdatedStage: Stage {
  let name: StageName? = .putUpdated

  func run(in context: StageContext) throws(SyncError) {
    let wave = try OutboxSnapshot(context).planner.updates()
    let written = Set(wave.writes.map(\.key))
    let idle = wave.stuck.filter { !written.contains($0.key) }
    let blocking = Blocking(context: context, stage: .putUpdated)
    try blocking.record(idle)
    guard !wave.writes.isEmpty else { return }
    let usesBatches = try BatchProbe(context: context).isWorthwhile(for: wave.writes)
    var progress = UploadProgress(of: written)
    let remainder = try Uploader(.putUpdated, in: context, usesBatches: usesBatches)
      .send(wave.writes, &progress)
    try OutcomeResolution(context: context, stage: .putUpdated).resolve(remainder.inDoubt)
    // Updates that were sent except for some fields wait with these fields only.
    guard idle.count < wave.stuck.count else { return }
    try blocking.record(OutboxSnapshot(context, sending: written).planner.updates().stuck)
  }
}
