// Ferry: offline-first sync for Parse Server. MIT licence.

public import FerryModel
import FerryPlanning
import FerryStore

/// How far a class is synced, as the last run left it.
public struct ClassSyncState: Sendable, Equatable {
  /// Whether the class was imported completely at least once.
  ///
  /// Until then, a record that is missing locally may exist on the server.
  public var isInitialSyncDone: Bool
  /// The server's time up to which its changes are known locally; nil before the first complete
  /// listing.
  public var listedThrough: Timestamp?
  /// Why the last run that reached the class failed at it; nil if it did not.
  ///
  /// All stages leave the class out until a run downloads it again.
  public var failure: String?
}

extension SyncReader {
  /// How far a class is synced.
  func syncState(of className: String) throws(StoreError) -> ClassSyncState {
    let state = try state(.classState(className))
    return ClassSyncState(
      isInitialSyncDone: state.isInitialSyncDone,
      listedThrough: state.cursor.serverTimeLowerBound ?? state.cursor.newest,
      failure: state.failure?.message)
  }
}
