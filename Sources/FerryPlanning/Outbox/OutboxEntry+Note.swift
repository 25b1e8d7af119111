// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel

// An entry as the store keeps it. A program skips the members that only a newer one knows.
extension OutboxEntry: Note {
  package init(from json: inout JSONText) throws(JSONText.Malformed) {
    var (className, objectID) = (String?.none, String?.none)
    var (localID, foldedThrough) = (LocalID?.none, HistoryToken?.none)
    var (kind, state) = (Kind?.none, State?.none)
    var rest = OutboxEntry(
      className: "", localID: LocalID(), objectID: "", kind: .create, foldedThrough: .start)
    try json.members { json, name throws(JSONText.Malformed) in
      switch name {
      case "className": className = try json.text()
      case "foldedThrough": foldedThrough = HistoryToken(rawValue: try json.integer())
      case "kind": kind = try json.word(Kind.self)
      case "localID": localID = LocalID(rawValue: try json.integer())
      case "objectID": objectID = try json.text()
      case "state": state = try State(from: &json)
      default: try rest.readOptional(name, &json)
      }
    }
    guard let className, let localID, let objectID, let kind, let state, let foldedThrough else {
      throw JSONText.Malformed()
    }
    self.init(
      className: className, localID: localID, objectID: objectID, kind: kind,
      foldedThrough: foldedThrough)
    enter(state)
    takeOptional(of: rest)
  }

  /// Reads a member that an entry need not have.
  private mutating func readOptional(
    _ name: String, _ json: inout JSONText
  ) throws(JSONText.Malformed) {
    switch name {
    case "acknowledgedVersion": acknowledgedVersion = ServerVersion(rawValue: try json.text())
    case "acl": acl = try json.value()
    case "attempts": attempts = try json.notes(Attempt.self)
    case "base": base = try json.fields()
    case "baseVersion": baseVersion = ServerVersion(rawValue: try json.text())
    case "changed": changed = try json.names()
    case "clientKey": clientKey = try json.text()
    case "createdAt": createdAt = try json.timestamp()
    case "failures": failures = try FailureStreak(from: &json)
    case "isOutdated": isOutdated = try json.boolean()
    case "lastKnownValues": lastKnown = try json.fields()
    case "rewrittenFields": rewritten = try json.names()
    case "rule": rule = try json.text()
    case "withdrawnEdits": withdrawn = try json.fields()
    default: try json.skip()
    }
  }

  private mutating func takeOptional(of other: OutboxEntry) {
    acknowledgedVersion = other.acknowledgedVersion
    acl = other.acl
    attempts = other.attempts
    base = other.base
    baseVersion = other.baseVersion
    changed = other.changed
    clientKey = other.clientKey
    createdAt = other.createdAt
    failures = other.failures
    isOutdated = other.isOutdated
    lastKnown = other.lastKnown
    rewritten = other.rewritten
    rule = other.rule
    withdrawn = other.withdrawn
  }

  package func write(to json: inout WireJSON) {
    json.object { json in
      json.member("acknowledgedVersion", acknowledgedVersion?.rawValue)
      json.member("acl", acl)
      json.member("attempts", attempts)
      json.member("base", base)
      json.member("baseVersion", baseVersion?.rawValue)
      json.member("changed", changed)
      json.member("className", className)
      json.member("clientKey", clientKey)
      json.member("createdAt", createdAt)
      json.member("failures", failures)
      json.member("foldedThrough", foldedThrough.rawValue)
      if isOutdated { json.member("isOutdated", true) }
      json.member("kind", kind.rawValue)
      if !lastKnown.values.isEmpty { json.member("lastKnownValues", lastKnown) }
      json.member("localID", localID.rawValue)
      json.member("objectID", objectID)
      if !rewritten.isEmpty { json.member("rewrittenFields", rewritten) }
      json.member("rule", rule)
      json.member("state", state)
      if !withdrawn.values.isEmpty { json.member("withdrawnEdits", withdrawn) }
    }
  }
}
