// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry

/// `ferry explain`: one record, as it is here, and what the next sync does with it.
struct ExplainCommand {
  var session: Session

  private var console: Console { session.console }

  func run() async throws(Failure) -> ExitCode {
    session.interruption.watch()
    let configuration = try session.configuration()
    let name = try session.command.namedRecord(configuration)
    var explanation = try explanation(of: name, configuration)
    // The store answers without a server, so its part is said first.
    console.message(explanation.json)
    console.result(explanation.lines.joined(separator: "\n"))
    explanation.actions = try await plan(configuration).actions.filter(explanation.isNamed)
    for action in explanation.actions { console.message(JSONMessage(action)) }
    console.message(JSONMessage("summary", ["actions": .count(explanation.actions.count)]))
    console.result(explanation.actionLines.joined(separator: "\n"))
    return .success
  }

  private func explanation(
    of name: NamedRecord, _ configuration: SyncConfiguration
  ) throws(Failure) -> Explanation {
    var changes: [PendingChange] = []
    var rows: [Record] = []
    var explanation = Explanation(className: name.className, id: name.id)
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

  private func plan(_ configuration: SyncConfiguration) async throws(Failure) -> SyncPlan {
    let place = try PlanningPlace(session.workspace)
    defer { place.leave() }
    let coordinator = try session.coordinator(configuration, in: place.workspace)
    let run = coordinator.startPlan()
    session.interruption.onInterruption { run.cancel() }
    // The notices of other records are no part of the answer.
    _ = try await session.report(of: run)
    return run.plan
  }
}
