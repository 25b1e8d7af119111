// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel
package import FerryStore

/// The unsent changes that a sync could send.
package struct UnsentWork: Sendable {
  /// The registered classes with unsent changes.
  package var classes: Set<String>
  /// After how many seconds a sync can move a change, without any edit; nil for never.
  package var next: Double?
}

extension SyncReader {
  /// Looks for changes that a sync could send.
  package func unsentWork(
    at now: Timestamp, _ options: SyncOptions
  ) throws(StoreError) -> UnsentWork {
    UnsentWork(
      classes: Set(try pendingCounts().keys.filter { schema.entity($0) != nil }),
      next: try nextSync(at: now, options)?.seconds(after: now))
  }
}
