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
      let totals = try transaction.outboxTotals(of: kind).filter {
        context.schema.entity($0.key) != nil
      }
      return (totals.mapValues(\.count), totals.mapValues(\.last))
    }
  }
}
