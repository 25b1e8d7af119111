// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import FerryStore

/// Stage 4: creates new local rows on the server, parents before children.
struct PostCreatedStage: Stage {
  let name: StageName? = .postCreated

  func run(in context: StageContext) throws(SyncError) {
    let first = try OutboxSnapshot(context)
    // The next sync sends rows that the app inserts from now on, so that this one ends.
    let bound = first.creates
    var progress = UploadProgress(of: bound)
    var wave = first.planner.creates()
    var tried = Set<RecordKey>()
    var askedAgain = Set<RecordKey>()
    while true {
      try context.checkCancellation()
      try Blocking(context: context, stage: .postCreated).record(wave.stuck)
      guard !wave.writes.isEmpty else { return }
      let remainder = try send(wave.writes, &tried, &progress, in: context)
      try OutcomeResolution(context: context, stage: .postCreated).resolve(remainder.inDoubt)
      // The server has since been configured to refuse minted ids, so the engine finds out again.
      let unusable = remainder.refusedIDs.subtracting(askedAgain)
      if !unusable.isEmpty {
        askedAgain.formUnion(unusable)
        tried.subtract(unusable)
        try context.write(.full) { transaction in
          try transaction.change(.capabilities) { $0.allowsCustomIDs = nil }
        }
      }
      wave = try OutboxSnapshot(context, sending: bound.subtracting(tried)).planner.creates()
    }
  }

  /// Sends a wave; only its first record while it is unknown whether the server accepts minted ids.
  private func send(
    _ writes: [UploadPlanner.Write], _ tried: inout Set<RecordKey>,
    _ progress: inout UploadProgress, in context: StageContext
  ) throws(SyncError) -> UploadRemainder {
    let capabilities = try context.read { try $0.state(.capabilities) }
    guard capabilities.allowsCustomIDs != nil else {
      let probe = writes[0]
      tried.insert(probe.key)
      return try CustomIDProbe(context: context).send(probe, &progress)
    }
    tried.formUnion(writes.map(\.key))
    let usesBatches = try BatchProbe(context: context).isWorthwhile(for: writes)
    return try Uploader(.postCreated, in: context, usesBatches: usesBatches)
      .send(writes, &progress)
  }
}
