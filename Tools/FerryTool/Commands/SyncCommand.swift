// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import Foundation

/// `ferry sync`: brings store and server in step, and says what it did.
struct SyncCommand {
  var session: Session

  private var console: Console { session.console }

  func run() async throws(Failure) -> ExitCode {
    session.interruption.watch()
    let flags = try RunFlags(session.command)
    let configuration = try session.configuration()
    let classNames = try session.classNames(configuration)
    try flags.checkConfirming(session, configuration)
    let coordinator = try session.coordinator(
      configuration, in: session.workspace, classes: classNames)
    let start = ProcessInfo.processInfo.systemUptime
    let run = coordinator.startSync(
      flags.selection, classes: flags.classes, comparing: flags.comparison,
      adopting: flags.adopting,
      confirming: flags.confirming)
    session.interruption.onInterruption { run.cancel() }
    await RunDisplay(console: console, stages: flags.selection.stages).follow(run)
    let report = try await session.report(of: run)
    if flags.adopting.contains(.movedServer) { try await session.followMovedServer(configuration) }
    let seconds = ProcessInfo.processInfo.systemUptime - start
    console.message(JSONMessage(summary: report))
    let staged =
      try flags.selection.stages == [.download]
      ? session.stagedDownloads() : []
    let lines = ReportText(report: report, seconds: seconds, staged: staged)
      .lines(width: console.facts.width)
    console.result(lines.joined(separator: "\n"))
    return ExitCode(report)
  }
}
