// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryParse
import FerryPlanning
import FerryStore

// The short way of most records: from the page into columns. Rows that need the planner's decisions leave the
// batch one by one, and are imported first, because what they do to other rows comes before a comparison.
extension PageImporter {
  /// Imports a page, and as many of its records as possible by the short way.
  mutating func importPage(
    _ page: BatchPage, into transaction: any SyncTransaction, _ outcome: inout ImportOutcome
  ) throws(StoreError) {
    outcome.records += page.rowCount
    let batch = page.batch
    var plain = Array(0..<batch.rowCount)
    var leaving = try takeEntangled(from: &plain, of: batch, in: transaction)
    var records = page.records
    var failures = page.failures
    var written: [ImportRow] = []
    while !(records.isEmpty && failures.isEmpty && leaving.isEmpty) {
      records += try self.records(ofRows: leaving)
      written += try write(records, failures, into: transaction, &outcome)
      // Now something may concern rows that nothing concerned before.
      leaving = try takeEntangled(from: &plain, of: batch, in: transaction)
      (records, failures) = ([], [])
    }
    let undecided = try importPlain(plain, of: batch, into: transaction, &outcome)
    if !undecided.isEmpty {
      written += try write(try self.records(ofRows: undecided), [], into: transaction, &outcome)
    }
    // A pointer may name a record whose row has just come.
    try renewPointers(of: written, in: transaction)
  }

  /// Imports rows of the batch without values; returns those that only the plan of a record decides.
  private func importPlain(
    _ rows: [Int], of batch: RowBatch, into transaction: any SyncTransaction,
    _ outcome: inout ImportOutcome
  ) throws(StoreError) -> [Int] {
    guard !rows.isEmpty else { return [] }
    let comparison = try transaction.insertNewRows(rows, of: batch, into: className)
    let plan = planner.plan(batch, comparison)
    try transaction.overwrite(plan.overwritten, with: batch, in: className)
    outcome.note(plan)
    return plan.undecided
  }

  /// Takes those rows out of the list that something else in the store concerns.
  private func takeEntangled(
    from rows: inout [Int], of batch: RowBatch, in transaction: any SyncTransaction
  ) throws(StoreError) -> [Int] {
    let entangled = try transaction.entangledRows(among: rows, of: batch, in: className)
    guard !entangled.isEmpty else { return [] }
    var isEntangled = [Bool](repeating: false, count: batch.rowCount)
    for row in entangled { isEntangled[row] = true }
    let taken = rows.filter { isEntangled[$0] }
    rows.removeAll { isEntangled[$0] }
    return taken
  }

  mutating func records(ofRows rows: [Int]) throws(StoreError) -> [ServerRecord] {
    var records: [ServerRecord] = []
    for row in rows {
      guard let record = reader.record(ofRow: row) else {
        throw StoreError(
          .database,
          "A record of \(className) was read in two ways. Nothing of its page was stored.")
      }
      records.append(record)
    }
    return records
  }
}
