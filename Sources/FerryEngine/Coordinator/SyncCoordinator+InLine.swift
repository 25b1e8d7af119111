// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryPlanning

// Runs on the calling thread, for a simulator: one thread decides what happens between any two steps.
extension SyncCoordinator {
  /// Runs a sync and returns when it has ended.
  package func syncInLine(
    _ selection: StageSelection = .all, comparing comparison: SyncComparison = .rolling,
    confirming confirmedRemovals: Set<String> = []
  ) -> SyncRun {
    let session = newSession(selection, comparison, [], confirmedRemovals)
    session.begin(on: nil)
    return session.run
  }

  /// Plans a sync and returns the run on the copies when it has ended.
  package func planInLine(
    _ selection: StageSelection = .all, comparing comparison: SyncComparison = .rolling,
    confirming confirmedRemovals: Set<String> = []
  ) -> SyncRun {
    let session = newSession(selection, comparison, [], confirmedRemovals)
    session.beginPlan(on: nil)
    return session.run
  }
}
