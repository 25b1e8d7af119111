// Ferry: offline-first sync for Parse Server. MIT licence.

/// The rows that the permissions of a class open to a caller.
extension LoopbackBackend {
  /// Whether a row is open to a caller where the class asks for a field that points to it.
  func isOpen(
    _ row: Row, of className: String, to operation: ClassPermissions.Operation, for caller: Caller
  ) -> Bool {
    guard let permissions = tables[className]?.schema.permissions,
      let fields = permissions.pointerFields(operation, for: caller)
    else { return true }
    guard let userId = caller.userId else { return false }
    return fields.contains { name in
      let value = row.fields[name]
      return (value?.array ?? value.map { [$0] } ?? []).contains {
        $0["objectId"]?.string == userId
      }
    }
  }

  /// The access list of a new row: the one that was sent, or the class's own, which is told.
  func access(
    of className: String, _ sent: LoopbackValue?, _ caller: Caller,
    _ echo: inout [String: LoopbackValue]
  ) -> AccessList? {
    if let sent, sent.isTruthy { return AccessList(sent) }
    guard sent == nil, !caller.hasEveryRight,
      let access = tables[className]?.schema.permissions.defaultAccess(for: caller)
    else { return nil }
    echo["ACL"] = access.value
    return access
  }

  /// Refuses a condition on a field that the caller does not get to see.
  static func check(
    _ condition: [String: LoopbackValue], names hidden: Set<String>
  ) throws(Refusal) {
    guard !hidden.isEmpty else { return }
    for (name, value) in condition {
      if hidden.contains(String(name.prefix { $0 != "." })) { throw .notPermitted }
      guard ["$or", "$and", "$nor"].contains(name) else { continue }
      for branch in value.array ?? [] { try check(branch.object ?? [:], names: hidden) }
    }
  }
}
