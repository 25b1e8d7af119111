// Ferry: offline-first sync for Parse Server. MIT licence.

// Stages that are still being written; whoever lands one removes its placeholder here.

struct ImportStage: Stage {
  let name: StageName? = .importing; func run(in context: StageContext) throws {}
}
struct DeleteMissingStage: Stage {
  let name: StageName? = .deleteMissing; func run(in context: StageContext) throws {}
}
struct OutgoingGuard {
  let context: StageContext;
  func passing(_ writes: [UploadPlanner.Write]) throws -> [UploadPlanner.Write] { writes }
}
