// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import FerryStore

/// Resolves what earlier runs left open, before anything is downloaded.
///
/// An import must never meet a create of our own as a stranger's record, so each write whose answer is
/// missing is looked up first.
struct ResolveStage: Stage {
  let name: StageName? = nil

  func run(in context: StageContext) throws(SyncError) {
    let open = try context.write(.full) { transaction in
      try transaction.fold()
      var open: [OutboxEntry] = []
      try transaction.forEachOutboxEntry { before in
        guard context.schema.entity(before.className) != nil else { return }
        var entry = before
        entry.recover()
        entry.trustClock(at: context.environment.now())
        if entry != before { try transaction.put(entry) }
        if entry.state == .inDoubt { open.append(entry) }
      }
      return open
    }
    try OutcomeResolution(context: context, stage: nil)
      .resolve(open.map { WriteInDoubt(key: $0.key, reason: .lost) })
    try LateAttempts(context: context).confirm()
  }
}
