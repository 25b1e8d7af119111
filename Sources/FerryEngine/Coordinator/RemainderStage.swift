// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import FerryStore

/// Counts, at the end of a run, what this run and earlier ones have left, and its conflict records.
///
/// It also says when a further sync makes sense, and which confirmations let nothing pass.
struct RemainderStage: Stage {
  let name: StageName? = nil
  /// The newest conflict record before the run.
  let newestConflict: Int64

  func run(in context: StageContext) throws(SyncError) {
    let now = context.environment.now()
    let (remaining, next, conflicts) = try context.read { reader throws(StoreError) in
      (
        try reader.remaining(),
        try reader.nextSync(at: now, context.options),
        try reader.conflictCounts(after: newestConflict)
      )
    }
    context.ledger.remains(remaining, nextSync: next)
    context.ledger.conflicts(conflicts, ofRun: context.conflictRun)
    let passed = context.ledger.passed
    for confirmation in context.confirmedRemovals.subtracting(passed).sorted() {
      context.notice(unused(confirmation, in: context))
    }
  }

  private func unused(_ confirmation: String, in context: StageContext) -> SyncNotice {
    let name = GuardedRemoval.className(inConfirmation: confirmation)
    return SyncNotice(
      .confirmationUnused, className: name.flatMap { context.schema.entity($0)?.name },
      "The confirmation \"\(confirmation)\" let nothing pass, because this run found no such set. "
        + "The set that it names, if there is one, is kept. The report of a sync names each set that it "
        + "holds back.")
  }
}
