// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import FerryStore

/// Sends new members of relations, once the server has owner and member.
struct MemberAdditions {
  let context: StageContext

  func send() throws(SyncError) {
    guard context.schema.entities.contains(where: { $0.membership != nil }) else { return }
    let totals = try totals()
    guard !totals.counts.isEmpty else { return }
    // The app may have added more since the stage began.
    try MemberSettlement.settle(in: context)
    var progress = UploadProgress(of: totals.counts)
    try OutboxPage.forEach(in: context, unless: { !isDue($0, totals) }) { page throws(SyncError) in
      var wave = page.planner.creates()
      for (key, parents) in wave.waiting {
        wave.stuck[key] = parents.first.map {
          .blocked(by: .record(Waiting($0.key, field: $0.field)))
        }
      }
      let additions = Set(page.entries.filter { isDue($0, totals) }.map(\.key))
      wave.stuck.merge(page.waitingForOwners.filter { additions.contains($0.key) }) { $1 }
      try Blocking(context: context, stage: .putUpdated).record(wave.stuck)
      let writes = try UnknownRecords(context: context).park(among: wave.writes)
      guard !writes.isEmpty else { return }
      let usesBatches = try BatchProbe(context: context).isWorthwhile(for: writes)
      let remainder = try Uploader(.putUpdated, in: context, usesBatches: usesBatches)
        .send(writes, &progress)
      try OutcomeResolution(context: context, stage: .putUpdated).resolve(remainder.inDoubt)
    }
  }

  private func totals() throws(SyncError) -> UnsentTotals {
    try UnsentTotals(.create, in: context).of(context.schema, areMembers: true)
  }

  private func isMember(_ entry: OutboxEntry) -> Bool {
    context.schema.entity(entry.className)?.membership != nil
  }

  private func isDue(_ entry: OutboxEntry, _ totals: UnsentTotals) -> Bool {
    guard entry.kind == .create, isMember(entry) else { return false }
    return entry.localID <= totals.last[entry.className] ?? LocalID(rawValue: 0)
  }
}
