// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryPlanning
import FerryStore

/// Counts, at the end of a run, what this run and earlier ones have left.
struct RemainderStage: Stage {
  let name: StageName? = nil

  func run(in context: StageContext) throws(SyncError) {
    context.ledger.remains(try context.read { reader throws(StoreError) in try reader.remaining() })
  }
}
