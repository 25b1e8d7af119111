// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryParse
import FerryPlanning
import FerryStore

/// Stage 1: asks the server for changes and writes its answers to disk as they arrive.
///
/// It asks for no records of on-demand classes. One batch asks for all classes that were imported before, each together with its count. So a
/// sync without changes is one request for 50 classes. Other classes page separately, all at the
/// same time. The stage itself changes nothing in the store but the engine's bookkeeping. In a run that imports, too,
/// `ImportAhead` imports pages meanwhile.
struct DownloadStage: Stage {
  /// How pages are imported while the download goes on.
  enum Importing {
    case onThreadOfItsOwn
    /// On the thread of the download, for a simulator.
    case inLine
  }

  let name: StageName? = .download
  /// Nil in a run that imports nothing.
  var importing: Importing?

  func run(in context: StageContext) throws(SyncError) {
    try discardUnregistered(in: context)
    let owner = try context.listingOwner()
    let importAhead = importing.map { ImportAhead(in: context, isInLine: $0 == .inLine) }
    let classes = try context.classStates()
    for (entity, _) in classes where !entity.isListed {
      // The class may have been listed before.
      try context.staging.discard(entity.name)
      try context.recover(entity.name)
    }
    let listed = classes.filter(\.entity.isListed)
    let downloads = try listed.map { entity, state throws(SyncError) in
      try download(entity, try owner.scope(of: entity), state, importAhead, in: context)
    }
    do throws(SyncError) {
      try DownloadRun(downloads, in: context).run()
    } catch {
      // Nothing may write once the run has ended.
      try? importAhead?.finish()
      throw error
    }
    try importAhead?.finish()
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
    _ entity: Entity, _ scope: ListingScope, _ state: ClassState, _ importAhead: ImportAhead?,
    in context: StageContext
  ) throws(SyncError) -> ClassDownload {
    var staged = try context.staging.listing(of: entity.name)
    if let found = staged, !state.accepts(found, of: scope, overlap: context.options.overlap) {
      try context.staging.discard(entity.name)
      staged = nil
    }
    return ClassDownload(
      entity, scope, state,
      uncountedLimit: try uncountedLimit(of: entity, scope, state, in: context),
      continuing: staged, importAhead, in: context)
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
