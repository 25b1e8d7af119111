// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import FerryStore

/// Stage 5: sends local edits to the server.
struct PutUpdatedStage: Stage {
  let name: StageName? = .putUpdated

  func run(in context: StageContext) throws(SyncError) {
    try MemberSettlement.settle(in: context)
    try sendUpdates(in: context)
    // Behind the updates: a new member gives its owner a new version, and an edit of the owner would wait for that.
    try MemberAdditions(context: context).send()
  }

  private func sendUpdates(in context: StageContext) throws(SyncError) {
    let totals = try UnsentTotals(.update, in: context)
    guard !totals.counts.isEmpty else { return }
    var progress = UploadProgress(of: totals.counts)
    let rewritten = RewrittenPointers(context: context)
    let files = FileUploads(.putUpdated, in: context)
    try OutboxPage.forEach(in: context) { page throws(SyncError) in
      var page = page
      if try rewritten.takeBack(among: page.entries) {
        page = try OutboxPage.read(page.entries.map(\.key), in: context)
      }
      let wave = page.planner.updates()
      try send(wave, known: page.known, &progress, in: context)
      try sendRemovals(behind: wave, of: page.entries, in: context)
      guard !wave.files.isEmpty else { return }
      // An edit with another new file that the app makes meanwhile goes with the next run.
      let rest = try OutboxPage.read(files.send(wave.files), in: context)
      try send(rest.planner.updates(), known: rest.known, &progress, in: context)
    }
  }

  /// Sends the second request of edits that add elements to an array and remove others.
  private func sendRemovals(
    behind wave: UploadPlanner.Wave, of entries: [OutboxEntry], in context: StageContext
  ) throws(SyncError) {
    let former = Dictionary(entries.map { ($0.key, $0) }, uniquingKeysWith: { $1 })
    let keys = wave.writes.map(\.key).filter { key in
      let fields = context.schema.entity(key.className)?.fields ?? []
      return fields.contains { $0.merge == .set && former[key]?.changed.contains($0.name) == true }
    }
    guard !keys.isEmpty else { return }
    let rest = try OutboxPage.read(keys, in: context)
    let carriedOut = rest.entries.filter {
      $0.acknowledgedVersion != former[$0.key]?.acknowledgedVersion
    }
    let removals = rest.planner.updates().writes(of: Set(carriedOut.map(\.key)))
    // The change counts once.
    var progress = UploadProgress()
    try send(removals, known: rest.known, &progress, in: context)
  }

  private func send(
    _ wave: UploadPlanner.Wave, known: KnownChanges, _ progress: inout UploadProgress,
    in context: StageContext
  ) throws(SyncError) {
    let written = Set(wave.writes.map(\.key))
    let idle = wave.stuck.filter { !written.contains($0.key) }
    let blocking = Blocking(context: context, stage: .putUpdated)
    try blocking.record(idle)
    guard !wave.writes.isEmpty else { return }
    let usesBatches = try BatchProbe(context: context).isWorthwhile(for: wave.writes)
    let remainder = try Uploader(.putUpdated, in: context, usesBatches: usesBatches)
      .send(wave.writes, &progress, known: known)
    try OutcomeResolution(context: context, stage: .putUpdated).resolve(remainder.inDoubt)
    // Updates that were sent except for some fields wait with these fields only.
    let partial = wave.stuck.keys.filter(written.contains)
    guard !partial.isEmpty else { return }
    let rest = try OutboxPage.read(partial, in: context)
    try blocking.record(rest.planner.updates().stuck)
  }
}
