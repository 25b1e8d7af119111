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
    let totals = try Self.totals(kind, in: context).filter {
      context.schema.entity($0.key) != nil
    }
    (counts, last) = (totals.mapValues(\.count), totals.mapValues(\.last))
  }

  /// The totals of the classes of members, or of all others.
  func of(_ schema: Schema, areMembers: Bool) -> UnsentTotals {
    var totals = self
    func belongs(_ className: String) -> Bool {
      (schema.entity(className)?.membership != nil) == areMembers
    }
    totals.counts = counts.filter { belongs($0.key) }
    totals.last = last.filter { belongs($0.key) }
    return totals
  }

  /// Most stages of most syncs have nothing to fold: then a look at the store spares a commit that waits for the disk.
  private static func totals(
    _ kind: OutboxEntry.Kind, in context: StageContext
  ) throws(SyncError) -> [String: OutboxTotal] {
    let folded = try context.read { reader throws(StoreError) in
      try reader.isFoldedToTheEnd() ? reader.outboxTotals(of: kind) : nil
    }
    if let folded { return folded }
    return try context.write(.full) { transaction throws(StoreError) in
      try transaction.fold()
      return try transaction.outboxTotals(of: kind)
    }
  }
}
