// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import Synchronization

/// `ferry verify`: compares every record of both sides, and changes neither.
struct VerifyCommand {
  var session: Session

  private var console: Console { session.console }

  func run() async throws(Failure) -> ExitCode {
    session.interruption.watch()
    let configuration = try session.configuration()
    let place = try PlanningPlace(session.workspace)
    defer { place.leave() }
    let coordinator = try session.coordinator(configuration, in: place.workspace)
    let selection = StageSelection.through(.deleteMissing)
    let run = coordinator.startPlan(selection, comparing: .everything)
    session.interruption.onInterruption { run.cancel() }
    await RunDisplay(console: console, stages: selection.stages, isPlan: true).follow(run)
    _ = try await session.report(of: run)
    var verification = Verification(run.plan, keeping: session.command.has(.verbose) ? nil : 10)
    let rows = try add(configuration, to: &verification)
    if session.command.has(.files) {
      let found = try await compareFiles(configuration, in: &verification)
      for difference in found {
        console.message(difference.json)
        verification.add(difference)
      }
    }
    console.message(JSONMessage(verification))
    let onDemand = Set(configuration.schema.entities.filter(\.isOnDemand).map(\.name))
    let text = VerificationText(verification: verification, rows: rows, onDemand: onDemand)
    console.result(text.lines.joined(separator: "\n"))
    return ExitCode(verification)
  }

  /// Compares the files that fields name, one request for each.
  private func compareFiles(
    _ configuration: SyncConfiguration, in verification: inout Verification
  ) async throws(Failure) -> [Verification.Difference] {
    let coordinator = try session.coordinator(
      configuration, in: session.workspace, announces: false)
    let found = Mutex<[Verification.Difference]>([])
    do {
      verification.files = try await coordinator.compareFiles { difference in
        found.withLock { $0.append(Verification.Difference(difference)) }
      }
    } catch let error as FileError {
      throw Failure(error)
    } catch let error as StoreError {
      throw Failure(error)
    } catch {
      throw Failure(
        .interrupted, "cancelled", "The comparison of the files was stopped. Nothing was changed."
      )
    }
    return found.withLock { $0 }
  }

  /// Adds what the plan found, and what the store knows without the server.
  ///
  /// - Returns: How many rows each class has.
  private func add(
    _ configuration: SyncConfiguration, to verification: inout Verification
  ) throws(Failure) -> [(className: String, count: Int)] {
    func add(_ difference: Verification.Difference) {
      console.message(difference.json)
      verification.add(difference)
    }
    for difference in verification.planned { add(difference) }
    let names = configuration.schema.entities.map(\.name)
    let cured = Set(
      verification.planned.filter { $0.kind != .held }.map { [$0.className, $0.objectID] })
    let counts = try session.inspect(configuration) { store throws(StoreError) in
      for name in names {
        try store.forEachPendingChange(of: name) { add(Verification.Difference($0)) }
      }
      for name in names {
        try store.forEachRowNeverSent(of: name) { add(Verification.Difference(neverSent: $0)) }
      }
      for name in names {
        for record in try store.rows.quarantine(of: name)
        where !cured.contains([record.className, record.objectID]) {
          add(Verification.Difference(record))
        }
      }
      for name in names where try !store.syncState(of: name).isInitialSyncDone {
        verification.neverSynced.insert(name)
      }
      verification.leftOut = try LeftOutChanges(in: store)
      return try names.map { name throws(StoreError) in (name, try store.rows.count(of: name)) }
    }
    guard let counts else {
      verification.neverSynced = Set(names)
      return names.map { ($0, 0) }
    }
    return counts
  }
}

extension ExitCode {
  /// How a comparison ended: a class that could not be compared says more than what differs elsewhere.
  init(_ verification: Verification) {
    if !verification.isWhole {
      self = .partial
    } else {
      self = verification.isEqual ? .success : .changesPending
    }
  }
}
