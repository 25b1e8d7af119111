// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel

/// What an import does with a page; nothing in it has happened yet.
package struct ImportPlan: Equatable {
  /// Rows to insert, or to overwrite as a whole.
  package var rows: [ImportRow] = []
  /// How many records were here already, as the server shows them.
  package var unchanged = 0
  /// Rows to put back that were deleted here.
  package var reinstated: [Record] = []
  /// Rows that leave, because the server flags them as deleted.
  package var removed: [LocalID] = []
  /// Entries that changed.
  package var entries: [OutboxEntry] = []
  /// Entries that are done.
  package var done: [OutboxEntry] = []
  /// Second records of one create, to be deleted on the server.
  package var doubles: [ServerRecord] = []
  package var conflicts: [ConflictRecord] = []
  package var setAside: [QuarantinedRecord] = []
  /// Ids whose quarantined record has been replaced by a good one.
  package var cured: [String] = []
  package var actions: [SyncAction] = []
}
