// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import Foundation

/// `ferry staging`: the server's answers that are kept for the import.
struct StagingCommand {
  var session: Session

  func run() throws(Failure) -> ExitCode {
    _ = try session.configuration()
    let summaries = try session.stagedDownloads().map(StagedSummary.init(download:))
    for summary in summaries { session.console.message(summary.json) }
    session.console.message(JSONMessage("summary", ["listings": .count(summaries.count)]))
    let lines = summaries.flatMap(\.lines)
    session.console.result(
      lines.isEmpty ? "Nothing is staged." : lines.joined(separator: "\n"))
    return .success
  }
}
