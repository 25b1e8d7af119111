// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import FerryStore

/// Resolves writes in doubt from earlier runs, before anything is downloaded.
///
/// An import must not take this device's own create for another client's record. So the engine
/// first looks up each write whose response is missing, and each create that it could not look up before.
struct ResolveStage: Stage {
  let name: StageName? = nil

  func run(in context: StageContext) throws(SyncError) {
    let open = try isNeeded(in: context) ? recover(in: context) : []
    let resolution = OutcomeResolution(context: context, stage: nil)
    for keys in open.chunks(of: OutboxPage.size) {
      try resolution.resolve(keys.map { WriteInDoubt(key: $0, reason: .lost) })
    }
    try LateAttempts(context: context).confirm()
  }

  /// Whether something waits for folding or recovery: else a look at the store spares a commit that waits for the disk.
  private func isNeeded(in context: StageContext) throws(SyncError) -> Bool {
    try context.read { reader throws(StoreError) in
      guard try reader.isFoldedToTheEnd() else { return true }
      return try !reader.outbox(.touched, of: nil, after: nil, limit: 1).isEmpty
    }
  }

  /// Ends the attempts that a process left open, and returns the entries to look up.
  private func recover(in context: StageContext) throws(SyncError) -> [RecordKey] {
    try context.writeSettingRowsRight(.full) { transaction, changesRows throws(StoreError) in
      try transaction.fold(changesRows: changesRows)
      var open: [RecordKey] = []
      try transaction.forEachOutboxEntry(.touched) { before throws(StoreError) in
        guard let entity = context.schema.entity(before.className) else { return }
        var entry = before
        let (now, uptime) = (context.environment.now(), context.environment.uptime())
        if entry.state == .sending { entry.noteLastTry(at: now, uptime: uptime) }
        entry.recover()
        entry.countUnanswered(entity.counters)
        entry.trustClock(at: now, uptime: uptime)
        if entry != before { try transaction.put(entry) }
        if entry.needsLookup { open.append(entry.key) }
      }
      return open
    }
  }
}

extension OutboxEntry {
  /// Whether the server has to be asked what became of a write.
  fileprivate var needsLookup: Bool {
    state == .inDoubt || isUndecidable || kind == .update && !undecidedFields.isEmpty
  }
}
