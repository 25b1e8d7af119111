// Ferry: offline-first sync for Parse Server. MIT licence.

// Stages that are still being written; whoever lands one removes its placeholder here.

struct OutgoingGuard {
  let context: StageContext;
  func passing(_ writes: [UploadPlanner.Write]) throws -> [UploadPlanner.Write] { writes }
}
