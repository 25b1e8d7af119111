// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry

/// `ferry plan`: shows what a sync would do.
struct PlanCommand {
  var session: Session

  private var console: Console { session.console }

  func run() async throws(Failure) -> ExitCode {
    session.interruption.watch()
    let flags = try RunFlags(session.command)
    let configuration = try session.configuration()
    let classNames = try session.classNames(configuration)
    try flags.checkConfirming(session, configuration)
    let place = try PlanningPlace(session.workspace)
    defer { place.leave() }
    let coordinator = try session.coordinator(
      configuration, in: place.workspace, classes: classNames)
    let run = coordinator.startPlan(
      flags.selection, classes: flags.classes, comparing: flags.comparison,
      adopting: flags.adopting,
      confirming: flags.confirming)
    session.interruption.onInterruption { run.cancel() }
    await RunDisplay(console: console, stages: flags.selection.stages, isPlan: true).follow(run)
    _ = try await session.report(of: run)
    let plan = run.plan
    show(plan, onDemand: configuration.schema.entities.filter(\.isOnDemand).map(\.name))
    return ExitCode(plan, tellsPending: session.command.has(.exitCode))
  }

  private func show(_ plan: SyncPlan, onDemand: [String]) {
    for action in plan.actions { console.message(JSONMessage(action)) }
    console.message(JSONMessage(summary: plan.report).with("dry_run", true))
    let text = PlanText(
      plan: plan, limit: session.command.has(.verbose) ? nil : 10, onDemand: onDemand)
    console.result(text.lines.joined(separator: "\n"))
  }
}
