// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry

/// `ferry outbox`: the unsent changes and why they wait; on demand, sends them again or takes them back.
struct OutboxCommand {
  /// The work on the changes.
  enum Action: String, CaseIterable, Sendable {
    case list, show, retry, discard, counted
    case notCounted = "not-counted"

    /// Whether it changes the store.
    var writes: Bool { self != .list && self != .show }
  }

  var session: Session

  func run() throws(Failure) -> ExitCode {
    switch session.command.outboxAction {
    case .list: return try list()
    case .show: return try show()
    case .retry: return try OutboxDecision(session: session).retry()
    case .discard: return try OutboxDecision(session: session).discard()
    case .counted: return try OutboxDecision(session: session).decide(counted: true)
    case .notCounted: return try OutboxDecision(session: session).decide(counted: false)
    }
  }

  private func list() throws(Failure) -> ExitCode {
    guard !session.command.has(.id), !session.command.has(.all) else {
      throw Failure(
        usage: "ferry outbox list takes --class only. \"ferry outbox show\" shows one change.")
    }
    let configuration = try session.configuration()
    let all = try session.inspect(configuration) { store throws(StoreError) in
      try LeftOutChanges(in: store)
    }
    let leftOut = (all ?? LeftOutChanges()).only(session.command.classNames)
    let names = try session.classNames(configuration, or: Set(leftOut.classes.keys))
    var count = 0
    _ = try session.inspect(configuration) { store throws(StoreError) in
      try store.forEachPendingChange { change in
        guard names.contains(change.className) else { return }
        let line = OutboxLine(change: change)
        session.console.message(line.json)
        session.console.result(line.text)
        count += 1
      }
    }
    session.console.message(
      JSONMessage("summary", ["entries": .count(count)]).with(leftOut))
    for line in leftOut.lines { session.console.result(line) }
    if count == 0, leftOut.count == 0 { session.console.result("Nothing is unsent.") }
    return .success
  }

  /// One change, with the values on both sides.
  private func show() throws(Failure) -> ExitCode {
    let configuration = try session.configuration()
    let name = try session.command.namedRecord(configuration)
    var changes: [PendingChange] = []
    var row: Record?
    _ = try session.inspect(configuration) { store throws(StoreError) in
      changes = try store.pendingChanges(of: name)
      row = try changes.first.flatMap { change throws(StoreError) in
        try store.rows.record(of: change.className, localID: change.localID)
      }
    }
    let change = try name.only(changes)
    let line = OutboxLine(change: change, row: row)
    session.console.message(line.jsonWithValues)
    session.console.result(line.linesWithValues.joined(separator: "\n"))
    return .success
  }
}

extension ParsedCommand {
  /// The action of `ferry outbox`; to list, where none is named.
  var outboxAction: OutboxCommand.Action { operand.flatMap(OutboxCommand.Action.init) ?? .list }
}
