// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning

/// Stage 1: asks the server what changed and writes its answers to disk, as they come.
///
/// Classes that were brought over before are asked in one batch, each together with its count: a sync
/// without changes is one request for 25 classes. The others page by themselves, all at the same
/// time. Nothing in the store is touched but the engine's own notes.
struct DownloadStage: Stage {
  let name: StageName? = .download

  func run(in context: StageContext) throws(SyncError) {
    for staged in try context.staging.listings()
    where context.schema.entity(staged.className) == nil {
      try context.staging.discard(staged.className)
    }
    let downloads = try context.entities.map { entity throws(SyncError) in
      try ClassDownload(entity, in: context)
    }
    try DownloadRun(downloads, in: context).run()
    try context.checkCancellation()
  }
}
