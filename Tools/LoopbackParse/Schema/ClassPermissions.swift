// Ferry: offline-first sync for Parse Server. MIT licence.

/// What a class lets whom do: Parse's class level permissions.
struct ClassPermissions: Sendable, Hashable {
  /// Something one may be allowed to do with a class.
  enum Operation: String, CaseIterable {
    case find, get, count, create, update, delete, addField
  }

  /// Who may, by operation.
  ///
  /// `*` is everyone; other keys are user ids, roles and `requiresAuthentication`.
  private var entries: [String: LoopbackValue]

  /// What a class has that nobody set permissions for.
  static let open: ClassPermissions = {
    var entries: [String: LoopbackValue] = [
      "protectedFields": ["*": []], "ACL": ["*": ["read": true, "write": true]],
    ]
    for operation in Operation.allCases { entries[operation.rawValue] = ["*": true] }
    return ClassPermissions(entries: entries)
  }()

  private init(entries: [String: LoopbackValue]) { self.entries = entries }

  /// Takes a block as `/schemas` is given it; what it does not name is denied.
  init(_ value: LoopbackValue) throws(Refusal) {
    guard case .object(let given) = value else { throw .parse(107, "invalid JSON") }
    let known = Set(Operation.allCases.map(\.rawValue))
      .union(["protectedFields", "readUserFields", "writeUserFields", "ACL"])
    if let stranger = given.keys.sorted().first(where: { !known.contains($0) }) {
      throw .parse(107, "\(stranger) is not a valid operation for class level permissions")
    }
    entries = ["protectedFields": [:]]
    for operation in Operation.allCases { entries[operation.rawValue] = [:] }
    entries.merge(given) { _, new in new }
  }

  /// Takes permissions as a snapshot kept them.
  init(restoring value: LoopbackValue) { entries = value.object ?? [:] }

  var value: LoopbackValue { .object(entries) }

  /// Refuses what the caller may not do.
  func check(_ operation: Operation, for caller: Caller) throws(Refusal) {
    guard !caller.isMaster, let allowed = entries[operation.rawValue]?.object else { return }
    if caller.names.contains(where: { allowed[$0] == true }) { return }
    guard allowed["requiresAuthentication"] == true else { throw .notPermitted }
    guard caller.userId != nil else { throw .parse(101, "Permission denied") }
  }
}
