// Ferry: offline-first sync for Parse Server. MIT licence.

extension LoopbackBackend {
  mutating func perform(_ route: Route, _ call: Call) throws(Refusal) -> Answer {
    switch route {
    case .find(let className): try find(className, call)
    case .get(let className, let id): try get(className, id, call)
    case .create(let className): try create(className, call)
    case .update(let className, let id): try update(className, id, call)
    case .delete(let className, let id): try delete(className, id, call)
    case .currentUser: try currentUser(call)
    case .login: try login(call)
    case .logout: logout(call)
    case .loginAs: try loginAs(call)
    case .verifyPassword: try verifyPassword(call)
    case .passwordReset: try resetPassword(call)
    case .currentSession: try currentSession(call)
    case .listSchemas: try listSchemas(call)
    case .getSchema(let className): try getSchema(className, call)
    case .createSchema(let className): try createSchema(className, call)
    case .updateSchema(let className): try updateSchema(className, call)
    case .deleteSchema(let className): try deleteSchema(className, call)
    case .purge(let className): try purge(className, call)
    case .distinct(let className): try distinct(className, call)
    case .function(let name): try runFunction(name, call)
    case .job: try runJob(call)
    case .getSettings: getSettings(call)
    case .updateSettings: try updateSettings(call)
    case .serverInfo: try serverInfo(call)
    case .batch: try batch(call)
    }
  }

  private mutating func runFunction(_ name: String, _ call: Call) throws(Refusal) -> Answer {
    if let result = try runModule(name, call) { return Answer(json: ["result": result]) }
    guard let function = configuration.functions[name] else {
      throw .parse(141, "Invalid function: \"\(name)\"")
    }
    do {
      let parameters = call.fields.merging(call.texts) { _, fromURL in fromURL }
      guard let result = try function(.object(parameters)) else { return Answer(json: [:]) }
      return Answer(json: ["result": result])
    } catch {
      throw Self.refusal(ofCloudCode: error)
    }
  }

  /// There are no jobs here: none has a name.
  private func runJob(_ call: Call) throws(Refusal) -> Answer {
    guard call.caller.isMaster else { throw .masterOnly }
    throw .parse(141, "Invalid job.")
  }

  /// The error of a trigger or function, as the client reads it.
  static func refusal(ofCloudCode error: any Error) -> Refusal {
    if let error = error as? LoopbackError { return .parse(error.code, error.message) }
    return .parse(141, String(describing: error))
  }

  private func serverInfo(_ call: Call) throws(Refusal) -> Answer {
    guard call.caller.isMaster else { throw .masterOnly }
    return Answer(
      json: [
        "features": [
          "globalConfig": ["create": true, "read": true, "update": true, "delete": true],
          "schemas": [
            "addField": true, "removeField": true, "addClass": true, "removeClass": true,
            "clearAllDataFromClass": true, "exportClass": false,
            "editClassLevelPermissions": true, "editPointerPermissions": true,
          ],
        ],
        "parseServerVersion": "9.10.0",
      ])
  }
}
