// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryStore

/// Stage 5: sends the fields that were edited here.
struct PutUpdatedStage: Stage {
  let name: StageName? = .putUpdated

  func run(in context: StageContext) throws {
    let wave = try OutboxSnapshot(context).planner.updates()
    try Blocking.record(wave.stuck, stage: .putUpdated, in: context)
    guard !wave.writes.isEmpty else { return }
    let usesBatches = try wave.writes.count > 1 && BatchProbe(context: context).works()
    let doubts = try Uploader(.putUpdated, in: context, usesBatches: usesBatches)
      .send(wave.writes)
    try Settlement(context: context, stage: .putUpdated).settle(doubts)
  }
}
