// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel

/// The server's version of a record that cannot be imported, as an unsent change of it meets it.
///
/// Such a version is readable field by field. A change of a field that the server holds as before
/// conflicts with nothing and may be sent; only the other fields wait.
package struct UnreadableRemote: Equatable {
  /// The server's fields by name, and its access list; nil where not even the record's JSON can be read.
  package var fields: [String: Value]?
  /// The stamp of that version; nil where not even that can be read.
  package var version: ServerVersion?
  /// Why the version cannot be imported.
  package var reason: String

  package init(fields: [String: Value]?, version: ServerVersion? = nil, reason: String) {
    self.fields = fields
    self.version = version
    self.reason = reason
  }

  /// The changed fields that have to wait until the version can be imported.
  package func conflicts(with entry: OutboxEntry, local: Record) -> Set<String> {
    guard let fields else { return entry.changed }
    let contents = local.contents
    return entry.changed.filter { name in
      let remote = fields[name] ?? .null
      return !entry.isRemoteUnchanged(name, remote) && (contents[name] ?? .null) != remote
    }
  }

  /// Whether a write may be sent over it.
  ///
  /// The app may have deleted the row, or edited another field, since the planner made the write.
  package func permits(
    _ write: UploadPlanner.Write, of entry: OutboxEntry, local: Record?
  ) -> Bool {
    guard entry.kind == .update, let local else { return false }
    return conflicts(with: entry, local: local).isSubset(of: write.withheld)
  }

  /// How an entry waits for it.
  package var state: OutboxEntry.State { .blocked(by: .quarantine(reason)) }
}
