// Ferry: offline-first sync for Parse Server. MIT licence.

extension LoopbackBackend {
  mutating func delete(
    _ className: String, _ objectId: String, _ call: Call
  ) throws(Refusal) -> Answer {
    if className == "_User", !call.caller.isMaster, call.caller.userId != objectId {
      throw .parse(206, "Insufficient auth to delete user")
    }
    try checkClassMayBeNamed(className, by: call.caller)
    guard let table = tables[className] else {
      throw .parse(101, "Object not found for delete.")
    }
    try table.schema.permissions.check(.delete, for: call.caller)
    guard let row = table.rows[objectId], call.caller.mayWrite(row),
      isOpen(row, of: className, to: .delete, for: call.caller)
    else {
      throw .parse(101, "Object not found for delete.")
    }
    try runBeforeDelete(className, row)
    if className == "_Session" { forgetToken(of: row) }
    commitRemoval(of: objectId, from: className)
    logDeletion(of: row, from: className)
    if className == "_User" { revokeSessions(of: objectId) }
    return Answer(json: [:])
  }
}
