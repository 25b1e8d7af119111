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
    let held = try heldByFiles(report, configuration)
    for change in held { console.message(OutboxLine(change: change).json) }
    console.message(JSONMessage(summary: report))
    let staged =
      try flags.selection.stages == [.download]
      ? session.stagedDownloads() : []
    let text = ReportText(
      report: report, seconds: seconds, staged: staged, held: held.filter { !report.names($0) })
    let lines = text.lines(width: console.facts.width)
    console.result(lines.joined(separator: "\n"))
    return ExitCode(report)
  }
  /// The changes that a new file keeps from going: the server did not take it, or a failure may pass.
  private func heldByFiles(
    _ report: SyncReport, _ configuration: SyncConfiguration
  ) throws(Failure) -> [PendingChange] {
    let classes = Set(report.remaining.filter { $0.value.parked + $0.value.waiting > 0 }.keys)
    guard !classes.isEmpty else { return [] }
    var held: [PendingChange] = []
    try session.inspect(configuration) { store throws(StoreError) in
      try store.forEachPendingChange { change throws(StoreError) in
        guard classes.contains(change.className), !change.files.isEmpty,
          [.parked, .blocked].contains(change.state)
        else { return }
        held.append(change)
      }
    }
    return held
  }
}

extension SyncReport {
  /// Whether a warning has said that the change is parked, and why.
  fileprivate func names(_ change: PendingChange) -> Bool {
    notices.contains {
      $0.code == .parked && $0.className == change.className && $0.localID == change.localID
    }
  }
}
