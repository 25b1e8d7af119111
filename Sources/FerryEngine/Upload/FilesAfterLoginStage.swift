// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryParse
import FerryPlanning
import FerryStore

/// Makes new files due that wait for a login, once another user than the refused one syncs.
struct FilesAfterLoginStage: Stage {
  let name: StageName? = nil

  /// How long files wait without a login; the server's settings may change meanwhile.
  static let longestPause = Duration.seconds(3600)

  func run(in context: StageContext) throws(SyncError) {
    guard let refused = try context.state(.sentFiles).refusedParty,
      try refused != Self.party(in: context)
    else { return }
    let newFiles = NewFiles(context.schema)
    try context.write(.full) { transaction throws(StoreError) in
      try transaction.fold()
      var pausing: [OutboxEntry] = []
      try transaction.forEachPendingEntry(of: nil) { entry throws(StoreError) in
        if entry.mayMove, entry.failures.isPausing, newFiles.mayConcern(entry) {
          pausing.append(entry)
        }
      }
      for var entry in pausing where entry.sendAgain() { try transaction.put(entry) }
      try transaction.change(.sentFiles) { $0.refuse(party: nil) }
    }
  }

  /// The name of whom a run acts for: a user's id, the master key, or nobody.
  static func party(in context: StageContext) throws(SyncError) -> String {
    if context.server.usesMasterKey { return "master key" }
    return try context.state(.binding)?.userID ?? ""
  }
}
