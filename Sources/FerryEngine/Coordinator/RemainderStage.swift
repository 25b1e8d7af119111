// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryPlanning
import FerryStore

/// Counts, at the end of a run, what this run and earlier ones have left, and its conflict records.
struct RemainderStage: Stage {
  let name: StageName? = nil
  /// The newest conflict record before the run.
  let newestConflict: Int64

  func run(in context: StageContext) throws(SyncError) {
    let (remaining, conflicts) = try context.read { reader throws(StoreError) in
      (try reader.remaining(), try reader.conflictCounts(after: newestConflict))
    }
    context.ledger.remains(remaining)
    context.ledger.conflicts(conflicts)
  }
}
