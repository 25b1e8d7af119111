// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry

/// `ferry outbox`: the unsent changes and why they wait.
struct OutboxCommand {
  var session: Session

  func run() throws(Failure) -> ExitCode {
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
}
