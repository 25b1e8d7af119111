// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import FerryStore

/// How many changes of one kind are unsent when a stage begins, and the last row among them.
struct UnsentTotals {
  private(set) var counts: [String: Int] = [:]
  private(set) var last: [String: LocalID] = [:]

  /// Folds what was edited meanwhile, and counts.
  ///
  /// - Throws: The error that ends the run: the store cannot be read or written.
  init(_ kind: OutboxEntry.Kind, in context: StageContext) throws(SyncError) {
    (counts, last) = try context.write(.full) { transaction throws(StoreError) in
      try transaction.fold()
      var counts: [String: Int] = [:]
      var last: [String: LocalID] = [:]
      try transaction.forEachOutboxEntry { entry in
        guard entry.kind == kind, context.schema.entity(entry.className) != nil else { return }
        counts[entry.className, default: 0] += 1
        last[entry.className] = entry.localID
      }
      return (counts, last)
    }
  }
}
