// Ferry: offline-first sync for Parse Server. MIT licence.

/// Who sends a request.
struct Caller: Sendable {
  var isMaster = false
  /// Whether the maintenance key was sent, which opens all rows but not what needs the master key.
  var isMaintenance = false
  /// Whether the server takes the request for one of its own Cloud Code, which nobody logs in by.
  var isCloudCode = false
  var userId: String?
  var sessionToken: String?
  var installationId: String?
  /// The names of the user's roles, direct and inherited.
  var roles: Set<String> = []

  static let master = Caller(isMaster: true)

  /// Whether no access list and no permission stands in the way.
  var hasEveryRight: Bool { isMaster || isMaintenance }

  /// The names under which a row's access list may let the caller in.
  var names: Set<String> {
    var names: Set<String> = ["*"]
    if let userId { names.insert(userId) }
    for role in roles { names.insert("role:" + role) }
    return names
  }

  func mayRead(_ row: Row) -> Bool {
    guard !hasEveryRight, let access = row.access else { return true }
    return !access.readers.isDisjoint(with: names)
  }

  func mayWrite(_ row: Row) -> Bool {
    guard !hasEveryRight, let access = row.access else { return true }
    return !access.writers.isDisjoint(with: names)
  }
}
