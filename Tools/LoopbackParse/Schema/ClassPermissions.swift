// Ferry: offline-first sync for Parse Server. MIT licence.

/// The operations that a class allows, and to whom: Parse's class level permissions.
struct ClassPermissions: Sendable, Hashable {
  /// Something one may be allowed to do with a class.
  enum Operation: String, CaseIterable {
    case find, get, count, create, update, delete, addField
  }

  /// Who may, by operation.
  ///
  /// `*` is everyone; other keys are user ids, roles and `requiresAuthentication`.
  private var entries: [String: LoopbackValue]

  /// The permissions of a class for which nobody has set any.
  static let open: ClassPermissions = {
    var entries: [String: LoopbackValue] = [
      "protectedFields": ["*": []], "ACL": ["*": ["read": true, "write": true]],
    ]
    for operation in Operation.allCases { entries[operation.rawValue] = ["*": true] }
    return ClassPermissions(entries: entries)
  }()

  /// The permissions of a class that only the master key may use.
  static let closed: ClassPermissions = {
    var entries: [String: LoopbackValue] = ["protectedFields": [:]]
    for operation in Operation.allCases { entries[operation.rawValue] = [:] }
    return ClassPermissions(entries: entries)
  }()

  /// The fields that name the readers of a row, for queries of some callers or of all.
  var readerFields: [String] { pointerFields(of: .find) }

  private init(entries: [String: LoopbackValue]) { self.entries = entries }

  /// Takes a block as `/schemas` is given it; what it does not name is denied.
  init(_ value: LoopbackValue) throws(Refusal) {
    guard case .object(let given) = value else { throw .parse(107, "invalid JSON") }
    for (name, entry) in given.sorted(by: { $0.key < $1.key })
    where Operation(rawValue: name) != nil && entry.object == nil {
      throw .parse(
        107,
        "'\(entry.string ?? entry.text)' is not a valid value for class level permissions \(name) - "
          + "must be an object")
    }
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
    guard !caller.hasEveryRight, let allowed = entries[operation.rawValue]?.object else { return }
    if caller.names.contains(where: { allowed[$0] == true }) { return }
    guard allowed["requiresAuthentication"] == true else {
      let isByPointer = !pointerFields(of: operation).isEmpty && operation != .create
      guard isByPointer else { throw .notPermitted }
      return
    }
    guard caller.userId != nil else { throw .parse(101, "Permission denied") }
  }

  /// The fields of which one must point to the caller; nil where no such field is asked for.
  func pointerFields(_ operation: Operation, for caller: Caller) -> [String]? {
    guard !caller.hasEveryRight, let allowed = entries[operation.rawValue]?.object,
      !caller.names.contains(where: { allowed[$0] == true }),
      allowed["requiresAuthentication"] != true
    else { return nil }
    let fields = pointerFields(of: operation)
    return fields.isEmpty ? nil : fields
  }

  private func pointerFields(of operation: Operation) -> [String] {
    let isRead = [.get, .find, .count].contains(operation)
    let own = entries[operation.rawValue]?["pointerFields"]?.array ?? []
    let shared = entries[isRead ? "readUserFields" : "writeUserFields"]?.array ?? []
    return (own + shared).compactMap(\.string)
  }

  /// The fields that a caller does not get to see: those that every name it goes by hides.
  func protectedFields(for caller: Caller) -> Set<String> {
    guard !caller.hasEveryRight, let lists = entries["protectedFields"]?.object else { return [] }
    let names = caller.userId == nil ? caller.names : caller.names.union(["authenticated"])
    let hidden = lists.filter { names.contains($0.key) }.values.map { list in
      Set((list.array ?? []).compactMap(\.string))
    }
    guard let first = hidden.first else { return [] }
    return hidden.dropFirst().reduce(first) { $0.intersection($1) }
  }

  /// The access list of a row that is created without one; nil where it is open to all.
  func defaultAccess(for caller: Caller) -> AccessList? {
    guard case .object(var list)? = entries["ACL"],
      entries["ACL"] != ["*": ["read": true, "write": true]]
    else { return nil }
    let own = list.removeValue(forKey: "currentUser")
    if let userId = caller.userId { list[userId] = own }
    return AccessList(.object(list))
  }
}
