// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryParse
import FerryPlanning
import FerryStore

/// Stage 1: asks the server for changes and writes its answers to disk as they arrive.
///
/// One batch asks for all classes that were imported before, each together with its count. So a
/// sync without changes is one request for 50 classes. Other classes page separately, all at the
/// same time. The stage changes nothing in the store but the engine's bookkeeping.
struct DownloadStage: Stage {
  let name: StageName? = .download

  func run(in context: StageContext) throws(SyncError) {
    try discardUnregistered(in: context)
    let owner = try context.listingOwner()
    let downloads = try context.classStates().map { entity, state throws(SyncError) in
      try download(entity, try owner.scope(of: entity), state, in: context)
    }
    try DownloadRun(downloads, in: context).run()
    try context.checkCancellation()
  }

  /// Removes staged pages of classes that the schema does not have.
  private func discardUnregistered(in context: StageContext) throws(SyncError) {
    for name in try context.staging.classNames() where context.schema.entity(name) == nil {
      try context.staging.discard(name)
    }
  }

  /// The download of a class; removes staged pages that must not be imported any more.
  private func download(
    _ entity: Entity, _ scope: ListingScope, _ state: ClassState, in context: StageContext
  ) throws(SyncError) -> ClassDownload {
    var staged = try context.staging.listing(of: entity.name)
    if let found = staged, !state.accepts(found, of: scope, overlap: context.options.overlap) {
      try context.staging.discard(entity.name)
      staged = nil
    }
    return ClassDownload(
      entity, scope, state,
      uncountedLimit: try uncountedLimit(of: entity, scope, state, in: context),
      continuing: staged, in: context)
  }

  /// How many rows to take of a class while the server counts none.
  ///
  /// Changes alone are few, unless the class can only be listed as a whole.
  private func uncountedLimit(
    of entity: Entity, _ scope: ListingScope, _ state: ClassState, in context: StageContext
  ) throws(SyncError) -> Int {
    let limit = context.options.uncountedLimit
    let isWhole = state.lowerBound(of: scope, overlap: context.options.overlap) == nil
    guard isWhole || state.isCountForbidden else { return limit }
    let local = try context.read { reader throws(StoreError) in
      try reader.acknowledgedCount(of: entity.name)
    }
    return RowCeiling.uncounted(limit, local: local)
  }
}
