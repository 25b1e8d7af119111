// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry

/// Finds out which fields the classes of a server have.
struct ClassSurvey {
  var server: ParseServer
  /// How long the server may be silent.
  var timeout: Duration
  var transport: any HTTPTransport
  var cancellation: CancellationSignal

  /// Asks for the schemas where the master key allows it, else for the newest rows of each class.
  ///
  /// - Throws: Why the server showed none of the classes.
  func run(_ classNames: [String]) throws(Failure) -> Result {
    var result = server.usesMasterKey ? try readSchemas(classNames) : try sample(classNames)
    if let first = result.refused.first, result.refused.count == classNames.count {
      throw first.failure
    }
    let named = UsableNames(result.entities)
    (result.entities, result.renamings, result.problems) =
      (named.entities, named.notes, named.problems)
    return result
  }

  private func readSchemas(_ classNames: [String]) throws(Failure) -> Result {
    let known = try answers(to: [.classes]).classes.result.get() ?? []
    let entities = try classNames.map { name throws(Failure) in
      guard let entity = known.first(where: { $0.name == name }) else {
        throw unknown(name, among: known.map(\.name))
      }
      return Self.withoutClientKey(entity)
    }
    return Result(source: .schemas, entities: entities)
  }

  private func sample(_ classNames: [String]) throws(Failure) -> Result {
    let examination = try answers(to: classNames.map { .rows(of: $0) })
    var result = Result(source: .sample, entities: [])
    for name in classNames {
      let finding = examination.rows(of: name)
      if case .refused(let error) = finding, let reason = Result.RefusedClass.Reason(error) {
        result.refused.append(Result.RefusedClass(className: name, reason: reason))
        result.entities.append(Entity(name, fields: []))
        continue
      }
      let sample = SampledClass(name, rows: try finding.result.get() ?? [])
      result.entities.append(Self.withoutClientKey(sample.entity))
      result.untyped += sample.untyped.map { Result.UntypedField(className: name, field: $0) }
    }
    return result
  }

  private func answers(
    to queries: [ServerExamination.Query]
  ) throws(Failure) -> ServerExamination {
    var examination = ServerExamination(of: server, timeout: timeout)
    do {
      try examination.ask(queries, over: transport, cancellation: cancellation)
    } catch {
      throw Failure(error)
    }
    return examination
  }

  /// Ferry's own key of a create is not a field of the app.
  private static func withoutClientKey(_ entity: Entity) -> Entity {
    let key = SyncOptions().clientKeyField
    return Entity(entity.name, fields: entity.fields.filter { $0.name != key })
  }

  private func unknown(_ name: String, among known: [String]) -> Failure {
    let classes = known.filter { !$0.hasPrefix("_") }.sorted()
    let meant = Suggestion.nearest(to: name, among: classes).map { " Did you mean \($0)?" } ?? ""
    let others =
      classes.isEmpty
      ? "It has no class of an app yet. Create a record of the class on the server first."
      : "It has: \(classes.joined(separator: ", "))."
    return Failure(
      .configuration, "unknown-class",
      "The server has no class \(name.quoted).\(meant) \(others) No file was written.")
  }
}

extension ClassSurvey.Result.RefusedClass.Reason {
  /// The server's reason for not showing one class; nil for an error that ends the command.
  fileprivate init?(_ error: ParseError) {
    switch error.code {
    case .operationForbidden: self = .forbidden
    case .objectNotFound: self = .loginNeeded
    default: return nil
    }
  }
}

extension ServerExamination.Finding {
  /// The answer, nil if the query was not sent; or the end of a command.
  fileprivate var result: Result<Answer?, Failure> {
    switch self {
    case .answer(let answer): .success(answer)
    case .refused(let error): .failure(Failure(error))
    case .failed(let error): .failure(Failure(error))
    case .notAsked: .success(nil)
    }
  }
}
