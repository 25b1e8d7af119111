// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry

/// `ferry outbox`: the unsent changes and why they wait.
struct OutboxCommand {
  var session: Session

  func run() throws(Failure) -> ExitCode {
    let configuration = try session.configuration()
    let names = try session.classNames(configuration)
    var count = 0
    var unnamed: [String: Int] = [:]
    try session.inspect(configuration) { store throws(StoreError) in
      try store.forEachPendingChange { change in
        guard names.contains(change.className) else { return }
        let line = OutboxLine(change: change)
        session.console.message(line.json)
        session.console.result(line.text)
        count += 1
      }
      unnamed = try store.unsentCountsOfUnregisteredClasses()
    }
    session.console.message(
      JSONMessage(
        "summary",
        ["entries": .count(count), "not_named": .object(unnamed.mapValues { .count($0) })]))
    for line in StoreStatus.lines(unnamed: unnamed) { session.console.result(line) }
    if count == 0, unnamed.isEmpty { session.console.result("Nothing is unsent.") }
    return .success
  }
}
