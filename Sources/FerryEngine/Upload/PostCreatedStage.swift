// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import FerryStore

/// Stage 4: creates on the server what was created here, parents before children.
struct PostCreatedStage: Stage {
  let name: StageName? = .postCreated

  func run(in context: StageContext) throws {
    var tried = Set<RecordKey>()
    var askedAgain = Set<RecordKey>()
    while true {
      try context.checkCancellation()
      let wave = try OutboxSnapshot(context, excluding: tried).planner.creates()
      try Blocking.record(wave.stuck, stage: .postCreated, in: context)
      guard !wave.writes.isEmpty else { return }
      let writesInDoubt = try send(wave.writes, &tried, in: context)
      try OutcomeResolution(context: context, stage: .postCreated).resolve(writesInDoubt)
      // The server was told since to take no ids of ours: what it takes is found out anew.
      let unusable = Set(writesInDoubt.filter(\.isUnusableID).map(\.key)).subtracting(askedAgain)
      guard !unusable.isEmpty else { continue }
      askedAgain.formUnion(unusable)
      tried.subtract(unusable)
      try context.store.sync(.full) { transaction in
        try transaction.change(.capabilities) { $0.allowsCustomIDs = nil }
      }
    }
  }

  /// Sends a wave; while it is not known whether the server takes our ids, only its first record.
  private func send(
    _ writes: [UploadPlanner.Write], _ tried: inout Set<RecordKey>, in context: StageContext
  ) throws -> [WriteInDoubt] {
    let capabilities = try context.store.syncRead { try $0.state(.capabilities) }
    guard capabilities.allowsCustomIDs != nil else {
      let probe = writes[0]
      tried.insert(probe.key)
      return try CustomIDProbe(context: context).send(probe)
    }
    tried.formUnion(writes.map(\.key))
    let usesBatches = try writes.count > 1 && BatchProbe(context: context).works()
    return try Uploader(.postCreated, in: context, usesBatches: usesBatches).send(writes)
  }
}
