// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry

/// `ferry conflicts restore --run`: writes all that one run overwrote or removed as new local edits.
struct RestoreRunCommand {
  var session: Session

  func run() throws(Failure) -> ExitCode {
    let run = Int64(try session.command.number(.run) ?? 0)
    let configuration = try session.configuration()
    guard session.hasStore else { throw unknown(run) }
    let store = try session.writableStore(configuration, in: session.workspace)
    let restorations: [ConflictRestoration]?
    do {
      restorations = try store.write { transaction throws(StoreError) in
        try transaction.conflicts(ofRun: run).isEmpty
          ? nil : try transaction.restoreConflicts(ofRun: run)
      }
    } catch {
      throw Failure(error)
    }
    guard let restorations else { throw unknown(run) }
    return tell(restorations, run)
  }

  private func tell(_ restorations: [ConflictRestoration], _ run: Int64) -> ExitCode {
    var restored = 0
    for restoration in restorations {
      let text = RestorationText(restoration: restoration)
      restored += text.row == nil ? 0 : 1
      session.console.message(text.json)
      session.console.result(text.line)
    }
    let stayed = restorations.count - restored
    session.console.message(
      JSONMessage(
        "restored_run",
        ["run": .integer(run), "restored": .count(restored), "stayed": .count(stayed)]))
    session.console.result(
      restorations.isEmpty
        ? "All conflict records of the run \(run) were restored before."
        : "Restored \(restored.grouped) of \(restorations.count.grouped). These are local edits, and the next sync sends "
          + "them.")
    return stayed == 0 ? .success : .partial
  }

  private func unknown(_ run: Int64) -> Failure {
    Failure(
      usage:
        "There is no conflict record of a run \(run). Nothing was changed. \"ferry conflicts --json\" shows the run of "
        + "each conflict record.")
  }
}
