// Ferry: offline-first sync for Parse Server. MIT licence.

extension LoopbackBackend {
  private static let getParameters: Set<String> = [
    "keys", "include", "excludeKeys", "readPreference", "includeReadPreference",
    "subqueryReadPreference",
  ]

  func get(
    _ className: String, _ objectId: String, _ call: Call
  ) throws(Refusal) -> Answer {
    let parameters = call.parameters
    guard parameters.keys.allSatisfy(Self.getParameters.contains) else {
      throw .parse(102, "Improper encode of parameter")
    }
    try checkClassMayBeNamed(className, by: call.caller)
    try checkMayListSessions(className, call.caller)
    guard let table = tables[className] else { throw .objectNotFound }
    try table.schema.permissions.check(.get, for: call.caller)
    guard let row = table.rows[objectId], mayRead(row, className, call.caller),
      isOpen(row, of: className, to: .get, for: call.caller)
    else { throw .objectNotFound }
    var options = FindOptions(projectionOf: parameters)
    options.showsOwnToken = true
    guard let encoded = page([row], className, options, call.caller).first else {
      throw .objectNotFound
    }
    return Answer(encoded: encoded)
  }

  /// Whether a row shows for a caller; sessions show only for their own user.
  func mayRead(_ row: Row, _ className: String, _ caller: Caller) -> Bool {
    if className == "_Session", !caller.hasEveryRight {
      return row.fields["user"]?["objectId"]?.string == caller.userId
    }
    return caller.mayRead(row)
  }

  func checkMayListSessions(_ className: String, _ caller: Caller) throws(Refusal) {
    guard className == "_Session", !caller.hasEveryRight, caller.userId == nil else { return }
    throw .parse(209, "Permission denied")
  }
}
