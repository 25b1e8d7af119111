// Ferry: offline-first sync for Parse Server. MIT licence.

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
