// Ferry: offline-first sync for Parse Server. MIT licence.

/// The document behind `/config`.
struct GlobalSettings: Sendable {
  var parameters: [String: LoopbackValue] = [:]
  /// The parameters that only the master key may see.
  var secret: Set<String> = []
}

extension LoopbackBackend {
  func getSettings(_ call: Call) -> Answer {
    guard !settings.parameters.isEmpty else { return Answer(json: ["params": [:]]) }
    let shown = settings.parameters.filter { name, _ in
      call.caller.isMaster || !settings.secret.contains(name)
    }
    var flags: [String: LoopbackValue] = [:]
    for name in shown.keys { flags[name] = .bool(settings.secret.contains(name)) }
    return Answer(json: ["params": .object(shown), "masterKeyOnly": .object(flags)])
  }

  mutating func updateSettings(_ call: Call) throws(Refusal) -> Answer {
    guard call.caller.isMaster else { throw .masterOnly }
    for (name, value) in call.body["params"]?.object ?? [:] {
      settings.parameters[name] = value["__op"] == "Delete" ? nil : value
    }
    for (name, flag) in call.body["masterKeyOnly"]?.object ?? [:] {
      if flag.isTruthy { settings.secret.insert(name) } else { settings.secret.remove(name) }
    }
    return Answer(json: ["result": true])
  }
}
