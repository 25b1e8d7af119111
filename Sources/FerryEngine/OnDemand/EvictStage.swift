// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import FerryStore

/// Takes rows of on-demand classes out of the store, except those of which the server does not have all.
struct EvictStage: Stage {
  let name: StageName? = nil
  let records: [RecordReference]

  private static let rowsPerTransaction = 1000

  func run(in context: StageContext) throws(SyncError) {
    var report = EvictionReport()
    for (className, records) in Dictionary(grouping: records, by: \.className)
      .sorted(by: { $0.key < $1.key })
    {
      for chunk in records.chunks(of: Self.rowsPerTransaction) {
        try context.checkCancellation()
        let part = try evict(chunk, of: className, in: context)
        report.evicted += part.evicted
        report.kept += part.kept
      }
    }
    context.ledger.evicted(report)
  }

  /// Evicts rows together, or each alone where a rule of another program keeps at least one.
  private func evict(
    _ records: [RecordReference], of className: String, in context: StageContext
  ) throws(SyncError) -> EvictionReport {
    do {
      return try context.write(.full) { transaction throws(StoreError) in
        try transaction.fold()
        return try transaction.evict(records, of: className)
      }
    } catch {
      guard error.refusal != nil else { throw error }
      guard let halves = RequestSize.halves(of: records) else {
        return EvictionReport(kept: records)
      }
      var report = EvictionReport()
      for half in halves {
        let part = try evict(half, of: className, in: context)
        report.evicted += part.evicted
        report.kept += part.kept
      }
      return report
    }
  }
}

extension SyncTransaction {
  /// Takes rows out; a row stays that has an unsent change, or values of which only another program knows.
  fileprivate func evict(
    _ records: [RecordReference], of className: String
  ) throws(StoreError) -> EvictionReport {
    let localIDs = records.map(\.localID)
    let entries = try outboxEntries(of: className, localIDs: localIDs)
    let unsent = Set(entries.map(\.localID))
    let undeclared = try undeclaredFields(of: className, localIDs: localIDs)
    var report = EvictionReport()
    var seen = Set<LocalID>()
    for row in try self.records(of: className, localIDs: localIDs)
    where seen.insert(row.localID).inserted {
      let others = undeclared[row.localID] ?? UndeclaredFields()
      if row.createdAt == nil || unsent.contains(row.localID) || !others.values.isEmpty
        || others.isEdited
      {
        report.kept.append(row.reference)
      } else {
        report.evicted.append(row.reference)
      }
    }
    guard !report.evicted.isEmpty else { return report }
    try remove(report.evicted.map(\.localID), from: className)
    // A sync that lists the class one day must list all of it: the rows are older than its cursor.
    try change(.classState(className)) { $0.fingerprint = nil }
    try outdateStagedPages(of: className)
    return report
  }
}
