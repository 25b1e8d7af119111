// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning

/// Stage 2: brings the staged pages into the store.
///
/// It asks the server nothing. What it has imported is recorded with the rows, so that a killed
/// process neither loses a page nor imports one twice.
struct ImportStage: Stage {
  let name: StageName? = .importing
  /// How many rows one transaction takes: enough that its own cost vanishes, few enough that
  /// the app never waits long to write.
  var rowsPerTransaction = 20_000

  func run(in context: StageContext) throws(SyncError) {
    for entity in context.entities {
      try context.checkCancellation()
      guard let staged = try context.staging.listing(of: entity.name) else { continue }
      try ListingImport(
        context: context, entity: entity, staged: staged, rowsPerTransaction: rowsPerTransaction
      ).run()
    }
  }
}
