// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import Foundation

/// `ferry sync`: brings store and server in step, and says what it did.
struct SyncCommand {
  var session: Session

  private var console: Console { session.console }

  func run() async throws -> ExitCode {
    session.interruption.watch()
    let flags = try RunFlags(session.command)
    let configuration = try session.configuration()
    try flags.checkConfirming(session, configuration)
    let coordinator = try session.coordinator(configuration, in: session.workspace)
    let start = ProcessInfo.processInfo.systemUptime
    let run = coordinator.startSync(
      flags.selection, comparing: flags.comparison, adopting: flags.adopting,
      confirming: flags.confirming)
    session.interruption.onInterruption { run.cancel() }
    await watch(run, stages: flags.selection.stages)
    let report = try await run.report
    let seconds = ProcessInfo.processInfo.systemUptime - start
    console.message(JSONMessage(summary: report))
    for confirmation in flags.unusedConfirmations(in: report) {
      console.warning(
        "The confirmation \(confirmation) let nothing pass, because this sync found no such set. "
          + "\"ferry status\" prints the sets that are held back.")
    }
    let staged =
      try flags.selection.stages == [.download]
      ? StagedDownload.all(in: session.workspace.staging) : []
    let lines = ReportText(report: report, seconds: seconds, staged: staged)
      .lines(width: console.facts.width)
    console.result(lines.joined(separator: "\n"))
    return ExitCode(report)
  }

  private func watch(_ run: SyncRun, stages: [StageName]) async {
    // Programs get fewer lines than people see.
    var meter = ProgressMeter(stages: stages, interval: console.isJSON ? 0.5 : 0.1)
    for await event in run.events {
      let line = meter.line(after: event, at: ProcessInfo.processInfo.systemUptime)
      if case .progress = event, line == nil { continue }
      if let message = JSONMessage(event) { console.message(message) }
      if let line { console.progress(line.text(width: console.facts.width ?? 80)) }
      show(event, isOnLine: line != nil && console.showsProgress)
    }
    console.clearProgress()
  }

  /// Shows people the notices; programs have had them as messages.
  private func show(_ event: SyncEvent, isOnLine: Bool) {
    guard !console.isJSON else { return }
    switch event {
    case .notice(let notice): console.warning(notice.line)
    case .retrying(let reason, let delay):
      console.note("\(reason) Trying again in \(ReportText.duration(delay.seconds)).")
    case .waiting(let seconds) where !isOnLine:
      console.note("The server has not answered for \(ReportText.duration(seconds)).")
    default: break
    }
  }
}
