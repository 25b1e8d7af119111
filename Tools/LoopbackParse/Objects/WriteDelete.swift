// Ferry: offline-first sync for Parse Server. MIT licence.

extension LoopbackBackend {
  mutating func delete(
    _ className: String, _ objectId: String, _ call: Call
  ) throws(Refusal) -> Answer {
    if className == "_User" { try checkMayChangeUser(objectId, call.caller) }
    guard let table = tables[className] else {
      if !configuration.allowClientClassCreation { return Answer(json: [:]) }
      throw .parse(101, "Object not found for delete.")
    }
    try table.schema.permissions.check(.delete, for: call.caller)
    guard let row = table.rows[objectId], call.caller.mayWrite(row) else {
      throw .parse(101, "Object not found for delete.")
    }
    try runBeforeDelete(className, row)
    if className == "_Session" { forgetToken(of: row) }
    _ = tables[className]?.remove(objectId)
    if className == "_User" { revokeSessions(of: objectId) }
    return Answer(json: [:])
  }
}
