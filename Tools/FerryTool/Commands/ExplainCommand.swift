// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry

/// `ferry explain`: one record, as it is here and on the server, and what the next sync does with it.
struct ExplainCommand {
  var session: Session

  private var console: Console { session.console }

  func run() async throws(Failure) -> ExitCode {
    session.interruption.watch()
    let configuration = try session.configuration()
    let name = try session.command.namedRecord(configuration)
    let explanation = try explanation(of: name, configuration)
    // The store answers without a server, so its part is said first.
    console.message(explanation.json)
    console.result(explanation.lines.joined(separator: "\n"))
    guard !session.command.has(.offline) else {
      show(.notAsked, of: explanation)
      console.message(JSONMessage("summary", [:]))
      return .success
    }
    try await ask(about: explanation, configuration)
    return .success
  }

  /// Shows the server's values, and plans a sync if the server answers.
  private func ask(
    about explanation: Explanation, _ configuration: SyncConfiguration
  ) async throws(Failure) {
    let place = try PlanningPlace(session.workspace)
    defer { place.leave() }
    let coordinator = try session.coordinator(configuration, in: place.workspace)
    let answer = try await remoteAnswer(about: explanation, by: coordinator)
    show(answer, of: explanation)
    guard answer.isReached else { return console.message(JSONMessage("summary", [:])) }
    var explanation = explanation
    explanation.actions = try await plan(by: coordinator).actions.filter(explanation.isNamed)
    for action in explanation.actions { console.message(JSONMessage(action)) }
    console.message(JSONMessage("summary", ["actions": .count(explanation.actions.count)]))
    console.result(explanation.actionLines.joined(separator: "\n"))
  }

  private func show(_ answer: RemoteAnswer, of explanation: Explanation) {
    console.message(answer.json(row: explanation.row, isMember: explanation.isMember))
    console.result(
      answer.lines(
        row: explanation.row, change: explanation.change, isMember: explanation.isMember
      ).joined(separator: "\n"))
  }

  /// Asks once, and not for long: a person waits for the rest.
  private func remoteAnswer(
    about explanation: Explanation, by coordinator: SyncCoordinator
  ) async throws(Failure) -> RemoteAnswer {
    let flags = session.command
    let timeout = flags.has(.timeout) ? try SyncOptions(flags: flags).timeout : .seconds(10)
    let (className, objectID) = (explanation.className, explanation.remoteID)
    let question = Task { () async -> Result<RemoteRecord, SyncError> in
      do throws(SyncError) {
        return .success(
          try await coordinator.remoteRecord(of: className, objectID: objectID, timeout: timeout))
      } catch {
        return .failure(error)
      }
    }
    session.interruption.onInterruption { question.cancel() }
    do {
      return .answered(try await question.value.get())
    } catch {
      guard [.unreachable, .tryAgain].contains(error.code) else { throw Failure(error) }
      return .unreachable(error.message)
    }
  }

  private func explanation(
    of name: NamedRecord, _ configuration: SyncConfiguration
  ) throws(Failure) -> Explanation {
    var changes: [PendingChange] = []
    var rows: [Record] = []
    var explanation = Explanation(className: name.className, id: name.id)
    explanation.isMember = configuration.schema.entity(name.className)?.membership != nil
    _ = try session.inspect(configuration) { store throws(StoreError) in
      rows = try store.rows(of: name)
      changes = try store.pendingChanges(of: name)
      explanation.quarantined = try store.rows.quarantine(of: name.className)
        .first { $0.objectID == name.id || $0.objectID == rows.first?.objectID }
      explanation.conflicts = try store.rows.conflicts(of: name.className, limit: 1000)
        .filter(name.isNamed).prefix(Explanation.mostConflicts).map(\.self)
    }
    try name.checkIsOne(Set(rows.map(\.localID) + changes.map(\.localID)).count)
    explanation.row = rows.first
    explanation.change = changes.first
    return explanation
  }

  private func plan(by coordinator: SyncCoordinator) async throws(Failure) -> SyncPlan {
    let run = coordinator.startPlan()
    session.interruption.onInterruption { run.cancel() }
    // The notices of other records are no part of the answer.
    _ = try await session.report(of: run)
    return run.plan
  }
}
