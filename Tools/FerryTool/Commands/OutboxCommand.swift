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
    let entries = try store?.syncRead { reader in try reader.pendingEntries(of: nil) } ?? []
    let lines = entries.filter { names.contains($0.className) && $0.state != .confirming }
      .map(OutboxLine.init)
    for line in lines { session.console.message(line.json) }
    session.console.message(JSONMessage("summary", ["entries": .count(lines.count)]))
    session.console.result(
      lines.isEmpty ? "Nothing is unsent." : lines.map(\.text).joined(separator: "\n"))
    return .success
  }
}
