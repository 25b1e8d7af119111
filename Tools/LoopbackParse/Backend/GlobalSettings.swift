// Ferry: offline-first sync for Parse Server. MIT licence.

/// The document behind `/config`.
struct GlobalSettings: Sendable {
  var parameters: [String: LoopbackValue] = [:]
  /// Which parameters only the master key may see; a flag outlives its parameter.
  var flags: [String: Bool] = [:]

  func isSecret(_ name: String) -> Bool { flags[name] ?? false }
}

extension LoopbackBackend {
  func getSettings(_ call: Call) -> Answer {
    guard !settings.parameters.isEmpty else { return Answer(json: ["params": [:]]) }
    let shown = settings.parameters.filter { name, _ in
      call.caller.isMaster || !settings.isSecret(name)
    }
    let flags = settings.flags.filter { name, _ in call.caller.isMaster || shown[name] != nil }
    return Answer(
      json: [
        "params": .object(shown), "masterKeyOnly": .object(flags.mapValues(LoopbackValue.bool)),
      ])
  }

  mutating func updateSettings(_ call: Call) throws(Refusal) -> Answer {
    guard call.caller.isMaster else { throw .masterOnly }
    for (name, value) in call.body["params"]?.object ?? [:] {
      settings.parameters[name] = value["__op"] == "Delete" ? nil : value
      settings.flags[name] = settings.isSecret(name)
    }
    for (name, flag) in call.body["masterKeyOnly"]?.object ?? [:] {
      settings.flags[name] = flag.isTruthy
    }
    return Answer(json: ["result": true])
  }
}
