// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel

// A case is an object with one member of its name, which holds what belongs to the case.
extension OutboxEntry.State: Note {
  package init(from json: inout JSONText) throws(JSONText.Malformed) {
    self = try json.only { json, name throws(JSONText.Malformed) in
      switch name {
      case "parked":
        return .parked(
          try json.only { json, _ throws(JSONText.Malformed) in try Refusal(from: &json) })
      case "blocked":
        return .blocked(
          by: try json.only { json, _ throws(JSONText.Malformed) in try Obstacle(from: &json) })
      default:
        try json.skip()
        return Self(named: name)
      }
    }
  }

  /// The state's name, without what belongs to it.
  package var name: String {
    switch self {
    case .ready: "ready"
    case .sending: "sending"
    case .inDoubt: "unknown"
    case .parked: "parked"
    case .blocked: "blocked"
    case .confirming: "confirming"
    }
  }

  private init?(named name: String) {
    switch name {
    case "ready": self = .ready
    case "sending": self = .sending
    case "inDoubt": self = .inDoubt
    case "confirming": self = .confirming
    default: return nil
    }
  }

  package func write(to json: inout WireJSON) {
    switch self {
    case .ready: json.raw(#"{"ready":{}}"#)
    case .sending: json.raw(#"{"sending":{}}"#)
    case .inDoubt: json.raw(#"{"inDoubt":{}}"#)
    case .confirming: json.raw(#"{"confirming":{}}"#)
    case .parked(let refusal):
      json.object { $0.member("parked") { $0.object { $0.member("_0", refusal) } } }
    case .blocked(let obstacle):
      json.object { $0.member("blocked") { $0.object { $0.member("by", obstacle) } } }
    }
  }
}

extension Obstacle: Note {
  package init(from json: inout JSONText) throws(JSONText.Malformed) {
    self = try json.only { json, name throws(JSONText.Malformed) in
      switch name {
      case "record":
        return .record(
          try json.only { json, _ throws(JSONText.Malformed) in try Waiting(from: &json) })
      case "quarantine":
        return .quarantine(try json.only { json, _ throws(JSONText.Malformed) in try json.text() })
      case "confirmation":
        return .confirmation(
          try json.only { json, _ throws(JSONText.Malformed) in try json.text() })
      case "backOff":
        return .backOff(
          until: try json.only { json, _ throws(JSONText.Malformed) in try json.timestamp() })
      case "newFile":
        return try Obstacle(newFile: &json)
      case "formerID":
        return .formerID(
          field: try json.only { json, _ throws(JSONText.Malformed) in try json.text() })
      case "keptRow":
        return .keptRow(try json.only { json, _ throws(JSONText.Malformed) in try json.text() })
      default:
        try json.skip()
        return name == "newerVersion" ? .newerVersion : name == "notFound" ? .notFound : nil
      }
    }
  }

  package func write(to json: inout WireJSON) {
    switch self {
    case .newerVersion: json.raw(#"{"newerVersion":{}}"#)
    case .notFound: json.raw(#"{"notFound":{}}"#)
    case .record(let waiting):
      json.object { $0.member("record") { $0.object { $0.member("_0", waiting) } } }
    case .quarantine(let reason):
      json.object { $0.member("quarantine") { $0.object { $0.member("_0", reason) } } }
    case .confirmation(let set):
      json.object { $0.member("confirmation") { $0.object { $0.member("_0", set) } } }
    case .backOff(let time):
      json.object { $0.member("backOff") { $0.object { $0.member("until", time) } } }
    case .newFile(let words, let end):
      json.object {
        $0.member("newFile") {
          $0.object { json in
            json.member("_0", words)
            json.member("until", end)
          }
        }
      }
    case .formerID(let field):
      json.object { $0.member("formerID") { $0.object { $0.member("field", field) } } }
    case .keptRow(let rule):
      json.object { $0.member("keptRow") { $0.object { $0.member("_0", rule) } } }
    }
  }
}

extension Obstacle {
  fileprivate init?(newFile json: inout JSONText) throws(JSONText.Malformed) {
    var (words, end) = (String?.none, Timestamp?.none)
    try json.members { json, name throws(JSONText.Malformed) in
      switch name {
      case "_0": words = try json.text()
      case "until": end = try json.timestamp()
      default: try json.skip()
      }
    }
    guard let words else { throw JSONText.Malformed() }
    self = .newFile(words, until: end)
  }
}

extension Waiting: Note {
  package init(from json: inout JSONText) throws(JSONText.Malformed) {
    var (className, field) = (String?.none, String?.none)
    var localID: LocalID?
    try json.members { json, name throws(JSONText.Malformed) in
      switch name {
      case "className": className = try json.text()
      case "field": field = try json.text()
      case "localID": localID = LocalID(rawValue: try json.integer())
      default: try json.skip()
      }
    }
    guard let className, let field, let localID else { throw JSONText.Malformed() }
    self.init(className: className, localID: localID, field: field)
  }

  package func write(to json: inout WireJSON) {
    json.object { json in
      json.member("className", className)
      json.member("field", field)
      json.member("localID", localID.rawValue)
    }
  }
}

extension Refusal: Note {
  package init(from json: inout JSONText) throws(JSONText.Malformed) {
    var reason: Reason?
    var code: Int?
    var message: String?
    try json.members { json, name throws(JSONText.Malformed) in
      switch name {
      case "code": code = Int(try json.integer())
      case "message": message = try json.text()
      case "reason": reason = try json.word(Reason.self)
      default: try json.skip()
      }
    }
    guard let reason, let message else { throw JSONText.Malformed() }
    self.init(reason: reason, code: code, message: message)
  }

  package func write(to json: inout WireJSON) {
    json.object { json in
      if let code { json.member("code", Int64(code)) }
      json.member("message", message)
      json.member("reason", reason.rawValue)
    }
  }
}
