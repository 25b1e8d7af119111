// Ferry: offline-first sync for Parse Server. MIT licence.

/// Who may read and who may write a row, as the server keeps it: two lists of user ids, `role:` names
/// and `*`.
struct AccessList: Hashable, Sendable {
  var readers: Set<String> = []
  var writers: Set<String> = []

  /// Takes an `ACL` apart; a value that is no object names nobody.
  init(_ value: LoopbackValue) {
    for (who, rights) in value.object ?? [:] {
      if rights["read"]?.isTruthy == true { readers.insert(who) }
      if rights["write"]?.isTruthy == true { writers.insert(who) }
    }
  }

  /// A row that belongs to one user alone.
  init(owner: String) {
    readers = [owner]
    writers = [owner]
  }

  /// The lists as an `ACL`, with only the rights that are given.
  var value: LoopbackValue {
    var entries: [String: LoopbackValue] = [:]
    for who in readers.union(writers) {
      var rights: [String: LoopbackValue] = [:]
      if readers.contains(who) { rights["read"] = true }
      if writers.contains(who) { rights["write"] = true }
      entries[who] = .object(rights)
    }
    return .object(entries)
  }
}
