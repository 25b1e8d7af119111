// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel
import FerryPlanning
package import FerryStore

/// How far a class has come, for those who only look.
package struct ClassSyncState: Sendable, Equatable {
  /// Whether a complete listing has been imported once.
  package var isInitialSyncDone: Bool
  /// Up to where the last complete listing reaches, by the server's clock.
  package var listedThrough: Timestamp?
}

extension SyncReader {
  /// How far a class has come.
  package func syncState(of className: String) throws -> ClassSyncState {
    let state = try state(.classState(className))
    return ClassSyncState(
      isInitialSyncDone: state.isInitialSyncDone,
      listedThrough: state.cursor.serverTimeLowerBound ?? state.cursor.newest)
  }
}
