// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel
package import FerryPlanning
package import FerryStore

/// How far a class is synced, for readers of the store.
package struct ClassSyncState: Sendable, Equatable {
  /// Whether a complete listing has been imported once.
  package var isInitialSyncDone: Bool
  /// The position up to which the last complete listing reaches, by the server's clock.
  package var listedThrough: Timestamp?
  /// Rows that are gone on the server and kept locally until a person confirms their removal.
  package var heldRemoval: GuardedRemoval?
}

extension SyncReader {
  /// How far a class is synced.
  package func syncState(of className: String) throws -> ClassSyncState {
    let state = try state(.classState(className))
    return ClassSyncState(
      isInitialSyncDone: state.isInitialSyncDone,
      listedThrough: state.cursor.serverTimeLowerBound ?? state.cursor.newest,
      heldRemoval: try heldRemoval(of: className))
  }

  private func heldRemoval(of className: String) throws -> GuardedRemoval? {
    let objectIDs = try state(.heldRemovals(className)).keys.sorted()
    guard !objectIDs.isEmpty else { return nil }
    return GuardedRemoval(
      className: className, side: .local, count: objectIDs.count,
      total: try acknowledgedCount(of: className), objectIDs: objectIDs,
      confirmation: DeleteGuard.confirmation(className, on: .local, objectIDs))
  }
}
