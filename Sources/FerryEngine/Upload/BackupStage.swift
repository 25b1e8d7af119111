// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import FerryStore

/// If the store went back to a backup, or came from another device, unsent additions to numbers wait like those whose answer was
/// lost.
///
/// Every run begins with it, also a fetch, a plan, and an import of staged pages. An import before would bring a version
/// over which the additions look unsent.
struct BackupStage: Stage {
  let name: StageName? = nil

  func run(in context: StageContext) throws(SyncError) {
    guard context.schema.entities.contains(where: { !$0.counters.isEmpty }) else { return }
    let noted = context.staging.additionsNote
    guard try context.state(.sentAdditions).mayHaveSentMore(accordingTo: noted) else { return }
    let beside = noted ?? AdditionsNote(folder: context.environment.mintID())
    let (now, uptime) = (context.environment.now(), context.environment.uptime())
    try context.writeSettingRowsRight(.full) { transaction, changesRows throws(StoreError) in
      try transaction.fold(changesRows: changesRows)
      let token = try transaction.lastToken()
      try transaction.forEachOutboxEntry(.all) { before throws(StoreError) in
        guard let counters = context.schema.entity(before.className)?.counters, !counters.isEmpty
        else { return }
        let row = try transaction.record(of: before.className, localID: before.localID)
        var entry = before
        if entry.doubtIncrements(of: counters, in: row, token: token, at: now) {
          entry.trustClock(at: now, uptime: uptime)
          try transaction.put(entry)
        }
      }
      try transaction.change(.sentAdditions) { $0.counts[beside.folder] = beside.count }
    }
    // After the commit: a process that ends between the two asks once more.
    if noted == nil { try context.staging.note(beside) }
  }
}
