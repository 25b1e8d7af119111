// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning

/// Stage 1: asks the server for changes and writes its answers to disk as they arrive.
///
/// One batch asks for all classes that were imported before, each together with its count. So a
/// sync without changes is one request for 25 classes. Other classes page separately, all at the
/// same time. The stage changes nothing in the store but the engine's bookkeeping.
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
