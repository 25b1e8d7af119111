// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel
package import FerryPlanning

// Runs on the calling thread, for a simulator: one thread decides what happens between any two steps.
extension SyncCoordinator {
  /// Runs a sync and returns when it has ended.
  package func syncInLine(
    _ selection: StageSelection = .all, classes: Set<String>? = nil,
    comparing comparison: SyncComparison = .rolling,
    confirming confirmedRemovals: Set<String> = []
  ) -> SyncRun {
    let session = sessionInLine(selection, classes, comparison, confirmedRemovals)
    session.begin(on: nil)
    return session.run
  }

  /// Plans a sync and returns the run on the copies when it has ended.
  package func planInLine(
    _ selection: StageSelection = .all, classes: Set<String>? = nil,
    comparing comparison: SyncComparison = .rolling,
    confirming confirmedRemovals: Set<String> = []
  ) -> SyncRun {
    let session = sessionInLine(selection, classes, comparison, confirmedRemovals)
    session.beginPlan(on: nil)
    return session.run
  }

  /// Fetches the records of a query and returns when the run has ended; the rows that came are nil if it failed.
  package func fetchInLine(
    _ query: Query, upTo limit: Int = 10_000
  ) throws(SyncError) -> (run: SyncRun, fetched: FetchedRecords?) {
    let stage = try stage(for: query, upTo: limit)
    let session = sessionInLine(.all, nil, .rolling, [])
    session.beginOutsideSync(stage, asksServer: true, on: nil)
    return (session.run, session.run.ledger.fetchedRecords)
  }

  /// Evicts rows of on-demand classes and returns when the run has ended; the report is nil if it failed.
  package func evictInLine(
    _ records: [RecordReference]
  ) -> (run: SyncRun, report: EvictionReport?) {
    let session = sessionInLine(.only(.importing), nil, .rolling, [])
    session.beginOutsideSync(EvictStage(records: records), asksServer: false, on: nil)
    return (session.run, session.run.ledger.evictionReport)
  }

  private func sessionInLine(
    _ selection: StageSelection, _ classes: Set<String>?, _ comparison: SyncComparison,
    _ confirmedRemovals: Set<String>
  ) -> SyncSession {
    let request = SyncRequest(
      selection: selection, classes: classes, comparison: comparison,
      confirmedRemovals: confirmedRemovals)
    return SyncSession(coordinator: self, request, options: options, run: newRun(), turn: nil)
  }
}
