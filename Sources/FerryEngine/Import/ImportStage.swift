// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import Foundation

/// Stage 2: imports the staged pages into the store.
///
/// It sends no requests. It records its progress together with the rows, so a killed process
/// neither loses a page nor imports one twice.
struct ImportStage: Stage {
  let name: StageName? = .importing

  func run(in context: StageContext) throws(SyncError) {
    let owner = try context.listingOwner()
    var empty: [ListingImport] = []
    for (entity, state) in try context.intactClasses() {
      try context.checkCancellation()
      guard let staged = try context.staging.listing(of: entity.name) else {
        try refuseUnusableManifest(of: entity.name, context)
        continue
      }
      let work = ListingImport(
        context: context, entity: entity, scope: try owner.scope(of: entity), before: state,
        staged: staged, rowsPerTransaction: context.options.rowsPerImport)
      if work.isEmpty { empty.append(work) } else { try work.run() }
    }
    try ListingImport.finish(empty, in: context)
  }

  private func refuseUnusableManifest(
    of className: String, _ context: StageContext
  ) throws(SyncError) {
    guard let manifest = try context.staging.manifest(of: className) else { return }
    try context.fail(
      className,
      "The staged pages of \(className) cannot be imported: \(manifest.path(percentEncoded: false)) is "
        + "not as a download wrote it. The engine imported none of them. Download the class again: "
        + "the download replaces the file.")
  }
}
