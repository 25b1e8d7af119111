// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel

/// The effects of an import on a page; a plan has not changed anything yet.
package struct ImportPlan: Equatable {
  /// Rows to insert, or to overwrite completely.
  package var rows: [ImportRow] = []
  /// The number of records that equal their local rows.
  package var unchanged = 0
  /// Locally deleted rows to restore.
  package var reinstated: [Record] = []
  /// Rows to remove because their records carry the soft-delete mark.
  package var removed: [LocalID] = []
  /// Entries that changed.
  package var entries: [OutboxEntry] = []
  /// Entries that are done.
  package var done: [OutboxEntry] = []
  /// Duplicates of a create, to delete on the server.
  package var duplicates: [Duplicate] = []
  package var conflicts: [ConflictRecord] = []
  /// The records for which the app's resolver failed.
  package var resolverFailures: [ResolverFailure] = []
  package var setAside: [QuarantinedRecord] = []
  /// Ids whose quarantined record was replaced by a valid one.
  package var cured: [String] = []
  package var actions: [SyncAction] = []

  /// A record that a create made once more.
  package struct Duplicate: Equatable {
    package let record: ServerRecord
    /// The id of the record that stays.
    package let originalID: String

    package init(_ record: ServerRecord, of originalID: String) {
      self.record = record
      self.originalID = originalID
    }
  }
}
