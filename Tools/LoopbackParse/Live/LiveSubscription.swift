// Ferry: offline-first sync for Parse Server. MIT licence.

/// A live query of a client.
struct LiveSubscription: Sendable {
  var className: String
  var condition: [String: LoopbackValue]
  /// The fields that an event has besides those that name the row; nil for all.
  var keys: Set<String>?
  /// Whose rows it sees.
  var caller: Caller

  /// The event of a change; nil where the query is not concerned.
  func event(_ change: LiveChange, in backend: LoopbackBackend) -> String? {
    guard change.className == className else { return nil }
    switch (change.before.map { matches($0, backend) }, change.after.map { matches($0, backend) }) {
    case (nil, true): return "create"
    case (true, true): return "update"
    case (false, true): return "enter"
    case (true, false): return "leave"
    case (true, nil): return "delete"
    default: return nil
    }
  }

  private func matches(_ row: Row, _ backend: LoopbackBackend) -> Bool {
    guard caller.mayRead(row), let schema = backend.tables[className]?.schema else { return false }
    var compiler = PredicateCompiler(backend: backend, schema: schema, caller: caller)
    guard let predicate = try? compiler.compile(condition) else { return false }
    return predicate.evaluate(row, backend.configuration.collation) == true
  }

  /// A row as an event shows it.
  func shown(_ row: Row, in backend: LoopbackBackend) -> LoopbackValue {
    var members = row.value(fileAddress: backend.fileAddress).object ?? [:]
    if let keys {
      members = members.filter { keys.contains($0.key) || ClassSchema.commonFields[$0.key] != nil }
    }
    members["className"] = .string(className)
    return .object(members)
  }
}
