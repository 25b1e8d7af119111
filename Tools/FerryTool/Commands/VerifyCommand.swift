// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry

/// `ferry verify`: compares every record of both sides, and changes neither.
struct VerifyCommand {
  var session: Session

  private var console: Console { session.console }

  func run() async throws -> ExitCode {
    session.interruption.watch()
    let configuration = try session.configuration()
    let here = try Here(session, configuration)
    let place = try PlanningPlace(session.workspace)
    defer { place.leave() }
    let coordinator = try session.coordinator(configuration, in: place.workspace)
    let task = Task {
      try await coordinator.plan(.through(.deleteMissing), comparing: .everything)
    }
    session.interruption.onInterruption { task.cancel() }
    let plan = try await task.value
    let verification = Verification(plan, changes: here.changes, quarantined: here.quarantined)
    show(plan.report.notices)
    show(verification, rows: here.rows)
    return ExitCode(verification)
  }

  /// The facts that the store knows without the server.
  private struct Here {
    var rows: [(className: String, count: Int)]
    var changes: [PendingChange] = []
    var quarantined: [QuarantinedRecord] = []

    init(_ session: Session, _ configuration: SyncConfiguration) throws {
      let names = configuration.schema.entities.map(\.name)
      rows = names.map { ($0, 0) }
      guard let store = try session.existingStore(configuration) else { return }
      (rows, changes, quarantined) = try store.inspect { store in
        (
          try names.map { ($0, try store.rows.count(of: $0)) },
          try names.flatMap { try store.pendingChanges(of: $0) },
          try names.flatMap { try store.rows.quarantine(of: $0) }
        )
      }
    }
  }

  private func show(_ notices: [SyncNotice]) {
    for notice in notices {
      if console.isJSON {
        console.message(JSONMessage(notice))
      } else {
        console.warning(notice.line)
      }
    }
  }

  private func show(_ verification: Verification, rows: [(className: String, count: Int)]) {
    for difference in verification.differences { console.message(difference.json) }
    console.message(JSONMessage(verification))
    let text = VerificationText(
      verification: verification, rows: rows,
      limit: session.command.has(.verbose) ? nil : 10)
    console.result(text.lines.joined(separator: "\n"))
  }
}

extension ExitCode {
  /// How a comparison ended: a class that could not be compared says more than what differs elsewhere.
  init(_ verification: Verification) {
    if !verification.isWhole {
      self = .partial
    } else {
      self = verification.isEqual ? .success : .changesPending
    }
  }
}
