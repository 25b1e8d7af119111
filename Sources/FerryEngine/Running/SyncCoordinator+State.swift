// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
public import FerryStore

extension SyncCoordinator {
  /// The present work of the coordinator, and what its store has left to do.
  ///
  /// The results of earlier syncs are in the store, so a new process knows them, and one process knows those of another.
  /// Any thread may call it, also during a run.
  ///
  /// - Returns: The state.
  /// - Throws: `StoreError` if the store cannot be read.
  public func state() throws(StoreError) -> SyncState {
    try syncStore.syncRead { reader throws(StoreError) in
      try reader.syncState(during: activity.present)
    }
  }

  /// The state now, and again whenever it changes.
  ///
  /// ```swift
  /// for try await state in coordinator.observeState() {
  ///   print(state.unsent == 0 ? "All sent" : "\(state.unsent) unsent")
  /// }
  /// ```
  ///
  /// There are about ten states a second at most. A listener that is slow gets the newest state, not each one in between.
  /// Syncs and edits of other processes count, too.
  ///
  /// - Returns: The observation; nothing is read before the app iterates.
  public func observeState() -> StoreObservation<SyncState> {
    let activity = activity
    return syncStore.observing(also: { activity.changes.stream() }) { reader in
      try reader.syncState(during: activity.present)
    }
  }
}

extension SyncReader {
  /// The number of changes that the server refused; changes that nothing has happened to are not read.
  private func parkedCount() throws(StoreError) -> Int {
    var count = 0
    try forEachOutboxEntry(.touched) { entry in
      if case .parked = entry.state { count += 1 }
    }
    return count
  }

  fileprivate func syncState(
    during activity: SyncState.Activity
  ) throws(StoreError) -> SyncState {
    let last = try state(.lastSync)
    return SyncState(
      activity: activity, lastSuccess: last.success, lastFailure: last.failure,
      unsent: try pendingCounts().values.reduce(0, +),
      parked: try parkedCount(),
      conflicts: try unseenConflictCounts().values.reduce(0, +))
  }
}
