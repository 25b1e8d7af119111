// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel

/// What a page brings, and what the store holds about its records.
package struct ImportSituation {
  package var records: [ServerRecord] = []
  package var failures: [RecordFailure] = []
  /// Rows that are here, by object id.
  package var versions: [String: StoredVersion] = [:]
  /// The same rows whole, by object id.
  package var rows: [String: Record] = [:]
  /// Unsent changes of the page's records, by object id; those of unsettled creates under the
  /// minted id.
  package var entries: [String: OutboxEntry] = [:]
  /// What replaced minted ids, for the client keys on the page.
  package var aliases: [String: String] = [:]
  /// The rows that have those ids, by id.
  package var named: [String: Record] = [:]
  /// The rows that have a client key of the page as their object id.
  package var predecessors: [String: Record] = [:]
  package var quarantined: [String: QuarantinedRecord] = [:]

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
