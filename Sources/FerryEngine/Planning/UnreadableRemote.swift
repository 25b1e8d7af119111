// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning

/// The server's version of a record that cannot be imported, as an unsent change of it meets it.
///
/// Such a version is readable field by field. A change of a field that the server holds as before
/// conflicts with nothing and may be sent; only the other fields wait.
struct UnreadableRemote: Equatable {
  /// The server's fields by name; nil where not even the record's JSON can be read.
  var fields: [String: Value]?
  /// Why the version cannot be imported.
  var reason: String

  /// The changed fields that have to wait until the version can be imported.
  func conflicts(with entry: OutboxEntry, local: Record) -> Set<String> {
    guard let fields else { return entry.changed }
    return entry.changed.filter { name in
      let remote = fields[name] ?? .null
      return !entry.isRemoteUnchanged(name, remote) && local[name] != remote
    }
  }

  /// How an entry waits for it.
  var state: OutboxEntry.State { .blocked(by: .quarantine(reason)) }
}
