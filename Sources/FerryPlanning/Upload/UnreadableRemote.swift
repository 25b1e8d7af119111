// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel

/// The server's version of a record that cannot be imported, as an unsent change of it meets it.
///
/// Such a version is readable field by field. A change of a field that the server holds as before
/// conflicts with nothing and may be sent; only the other fields wait.
package struct UnreadableRemote: Equatable {
  /// The server's fields by name; nil where not even the record's JSON can be read.
  package var fields: [String: Value]?
  /// Why the version cannot be imported.
  package var reason: String

  package init(fields: [String: Value]?, reason: String) {
    self.fields = fields
    self.reason = reason
  }

  /// The changed fields that have to wait until the version can be imported.
  package func conflicts(with entry: OutboxEntry, local: Record) -> Set<String> {
    guard let fields else { return entry.changed }
    return entry.changed.filter { name in
      let remote = fields[name] ?? .null
      return !entry.isRemoteUnchanged(name, remote) && local[name] != remote
    }
  }

  /// How an entry waits for it.
  package var state: OutboxEntry.State { .blocked(by: .quarantine(reason)) }
}
