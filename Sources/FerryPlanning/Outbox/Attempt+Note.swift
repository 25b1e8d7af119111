// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel

extension Attempt: Note {
  package init(from json: inout JSONText) throws(JSONText.Malformed) {
    var kind: OutboxEntry.Kind?
    var sent: Fields?
    var increments: SentIncrements?
    var elements: SentElements?
    var withheld: Set<String>?
    var token: HistoryToken?
    var startedAt: Timestamp?
    var outcome: Outcome?
    var mayStillRun: Bool?
    try json.members { json, name throws(JSONText.Malformed) in
      switch name {
      case "elements": elements = try SentElements(from: &json)
      case "increments": increments = try SentIncrements(from: &json)
      case "kind": kind = try json.word(OutboxEntry.Kind.self)
      case "mayStillRun": mayStillRun = try json.boolean()
      case "outcome": outcome = try json.word(Outcome.self)
      case "sent": sent = try json.fields()
      case "startedAt": startedAt = try json.timestamp()
      case "token": token = HistoryToken(rawValue: try json.integer())
      case "withheld": withheld = try json.names()
      default: try json.skip()
      }
    }
    guard let kind, let sent, let withheld, let token, let startedAt, let outcome, let mayStillRun
    else { throw JSONText.Malformed() }
    self.init(kind: kind, sent: sent, withheld: withheld, token: token, startedAt: startedAt)
    self.outcome = outcome
    self.mayStillRun = mayStillRun
    self.increments = increments
    self.elements = elements
  }

  package func write(to json: inout WireJSON) {
    json.object { json in
      if let elements { json.member("elements", elements) }
      if let increments { json.member("increments", increments) }
      json.member("kind", kind.rawValue)
      json.member("mayStillRun", mayStillRun)
      json.member("outcome", outcome.rawValue)
      json.member("sent", sent)
      json.member("startedAt", startedAt)
      json.member("token", token.rawValue)
      json.member("withheld", withheld)
    }
  }
}
