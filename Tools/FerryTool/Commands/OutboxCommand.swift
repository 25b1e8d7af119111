// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryPlanning
import FerryStore

/// `ferry outbox`: the unsent changes and why they wait.
struct OutboxCommand {
  var session: Session

  func run() throws -> ExitCode {
    let configuration = try session.configuration()
    let names = try session.classNames(configuration)
    let store = try session.existingStore(configuration)
    var count = 0
    try store?.syncRead { reader in
      try reader.forEachPendingEntry(of: nil) { entry in
        guard names.contains(entry.className), entry.state != .confirming else { return }
        let line = OutboxLine(entry: entry)
        session.console.message(line.json)
        session.console.result(line.text)
        count += 1
      }
    }
    session.console.message(JSONMessage("summary", ["entries": .count(count)]))
    if count == 0 { session.console.result("Nothing is unsent.") }
    return .success
  }
}
