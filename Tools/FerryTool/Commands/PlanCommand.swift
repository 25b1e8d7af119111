// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryEngine
import FerryModel
import Foundation

/// `ferry plan`: shows what a sync would do.
struct PlanCommand {
  var session: Session

  private var console: Console { session.console }

  func run() async throws -> ExitCode {
    session.interruption.watch()
    let selection = try StageSelection(flags: session.command)
    let configuration = try session.configuration()
    let place = try PlanningPlace(session.workspace)
    defer { place.leave() }
    let coordinator = try session.coordinator(configuration, in: place.workspace)
    let task = Task { try await coordinator.plan(selection) }
    session.interruption.onInterruption { task.cancel() }
    let plan = try await task.value
    show(plan)
    return ExitCode(plan, tellsPending: session.command.has(.exitCode))
  }

  private func show(_ plan: SyncPlan) {
    for notice in plan.report.notices {
      if console.isJSON {
        console.message(JSONMessage(notice))
      } else {
        console.warning(notice.message)
      }
    }
    for action in plan.actions { console.message(JSONMessage(action)) }
    console.message(JSONMessage(summary: plan.report).with("dry_run", true))
    let text = PlanText(plan: plan, limit: session.command.has(.verbose) ? nil : 10)
    console.result(text.lines.joined(separator: "\n"))
  }
}

/// Where a plan finds a store: a plan before the first sync uses one that goes with it, so that
/// looking leaves nothing behind.
private struct PlanningPlace {
  let workspace: Workspace
  private let isTemporary: Bool

  init(_ workspace: Workspace) throws {
    isTemporary = access(workspace.store.filePath, F_OK) != 0
    guard isTemporary else {
      self.workspace = workspace
      return
    }
    let name = "ferry-plan-\(UUID().uuidString)"
    let folder = FileManager.default.temporaryDirectory.appending(path: name)
    self.workspace = Workspace(flag: folder.filePath, environment: [:])
    do {
      try FileManager.default.createDirectory(
        at: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    } catch {
      throw Failure(
        .cannotCreate, "cannot-create",
        "A folder for trying things out, \(folder.filePath), cannot be made: "
          + "\(Failure.reason(of: error)). Nothing was done. Name another with TMPDIR.")
    }
  }

  func leave() {
    if isTemporary { try? FileManager.default.removeItem(at: workspace.folder) }
  }
}
