// Ferry: offline-first sync for Parse Server. MIT licence.

/// Who sends a request.
struct Caller: Sendable {
  var isMaster = false
  var userId: String?
  var sessionToken: String?
  var installationId: String?
  /// The names of the user's roles, direct and inherited.
  var roles: Set<String> = []

  static let master = Caller(isMaster: true)

  /// The names under which a row's access list may let the caller in.
  var names: Set<String> {
    var names: Set<String> = ["*"]
    if let userId { names.insert(userId) }
    for role in roles { names.insert("role:" + role) }
    return names
  }

  func mayRead(_ row: Row) -> Bool {
    guard !isMaster, let access = row.access else { return true }
    return !access.readers.isDisjoint(with: names)
  }

  func mayWrite(_ row: Row) -> Bool {
    guard !isMaster, let access = row.access else { return true }
    return !access.writers.isDisjoint(with: names)
  }
}
