// Ferry: offline-first sync for Parse Server. MIT licence.

import Synchronization

/// The outcome of a save, noted before its commit: a merge may see the new rows before the save is over.
final class SnapshotOutcome: Sendable {
  private let content = Mutex<SnapshotSaving?>(nil)

  var saving: SnapshotSaving? { content.withLock { $0 } }

  func note(_ saving: SnapshotSaving) -> SnapshotSaving {
    content.withLock { $0 = saving }
    return saving
  }
}
