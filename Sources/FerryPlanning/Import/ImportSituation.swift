// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel

/// The content of a page, and the store's data about its records.
package struct ImportSituation {
  package var records: [ServerRecord] = []
  package var failures: [RecordFailure] = []
  /// The local rows, by object id.
  package var versions: [String: StoredVersion] = [:]
  /// The same rows with all fields, by object id.
  package var rows: [String: Record] = [:]
  /// Unsent changes of the page's records, by object id; an unresolved create is under its minted
  /// id.
  package var entries: [String: OutboxEntry] = [:]
  /// The replacements of minted ids, for the client keys on the page.
  package var aliases: [String: String] = [:]
  /// The rows with those ids, by id.
  package var named: [String: Record] = [:]
  /// The rows that have a client key of the page as their object id.
  package var predecessors: [String: Record] = [:]
  package var quarantined: [String: QuarantinedRecord] = [:]
  /// The fields that only other programs declare, of the rows that may go.
  package var undeclared: [LocalID: UndeclaredFields] = [:]

  /// The records, also those of which little more than the soft-delete mark can be read.
  package var shown: [ServerRecord] {
    failures.isEmpty ? records : records + failures.compactMap(\.markedAsDeleted)
  }

  package init(
    records: [ServerRecord] = [], failures: [RecordFailure] = [],
    versions: [String: StoredVersion] = [:], rows: [String: Record] = [:],
    entries: [String: OutboxEntry] = [:], aliases: [String: String] = [:],
    named: [String: Record] = [:], predecessors: [String: Record] = [:],
    quarantined: [String: QuarantinedRecord] = [:]
  ) {
    self.records = records
    self.failures = failures
    self.versions = versions
    self.rows = rows
    self.entries = entries
    self.aliases = aliases
    self.named = named
    self.predecessors = predecessors
    self.quarantined = quarantined
  }
}
