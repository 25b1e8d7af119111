// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryParse
import FerryPlanning
import FerryStore

/// What a page brings, and what the store holds about its records.
struct ImportSituation {
  var records: [ServerRecord] = []
  var failures: [RecordFailure] = []
  /// Rows that are here, by object id.
  var versions: [String: StoredVersion] = [:]
  /// The same rows whole, by object id.
  var rows: [String: Record] = [:]
  /// Unsent changes of the page's records, by object id; those of unsettled creates under the
  /// minted id.
  var entries: [String: OutboxEntry] = [:]
  /// What replaced minted ids, for the client keys on the page.
  var aliases: [String: String] = [:]
  /// The rows that have those ids, by id.
  var named: [String: Record] = [:]
  var quarantined: [String: QuarantinedRecord] = [:]
}

/// A create whose outcome was not known, and the record that proves it arrived.
struct ImportMatch: Equatable {
  var entry: OutboxEntry
  var record: ServerRecord
}

/// A record that a create made, and the row here that stands for a younger one of the same create.
struct OriginalRecord: Equatable {
  var record: ServerRecord
  var younger: Record
}

/// What an import does with a page; nothing in it has happened yet.
struct ImportPlan: Equatable {
  /// Rows to insert, or to overwrite as a whole.
  var rows: [ImportRow] = []
  /// How many records were here already, as the server shows them.
  var unchanged = 0
  /// Rows to put back that were deleted here.
  var reinstated: [Record] = []
  /// Rows that leave, because the server flags them as deleted.
  var removed: [LocalID] = []
  /// Entries that changed.
  var entries: [OutboxEntry] = []
  /// Entries that are done.
  var done: [OutboxEntry] = []
  /// Second records of one create, to be deleted on the server.
  var doubles: [ServerRecord] = []
  var conflicts: [ConflictRecord] = []
  var setAside: [QuarantinedRecord] = []
  /// Ids whose quarantined record has been replaced by a good one.
  var cured: [String] = []
  var actions: [SyncAction] = []
}
