// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryPlanning
import FerryStore

/// Stage 5: sends the fields that were edited here.
struct PutUpdatedStage: Stage {
  let name: StageName? = .putUpdated

  func run(in context: StageContext) throws {
    let wave = try OutboxSnapshot(context).planner.updates()
    let written = Set(wave.writes.map(\.key))
    let idle = wave.stuck.filter { !written.contains($0.key) }
    try Blocking.record(idle, stage: .putUpdated, in: context)
    guard !wave.writes.isEmpty else { return }
    let usesBatches = try wave.writes.count > 1 && BatchProbe(context: context).works()
    let writesInDoubt = try Uploader(.putUpdated, in: context, usesBatches: usesBatches)
      .send(wave.writes)
    try OutcomeResolution(context: context, stage: .putUpdated).resolve(writesInDoubt)
    // What was sent but for some fields waits with these alone.
    guard idle.count < wave.stuck.count else { return }
    let rest = try OutboxSnapshot(context).planner.updates().stuck
    try Blocking.record(rest, stage: .putUpdated, in: context)
  }
}
