// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryEngine
import FerryModel
import FerryPlanning
import Foundation
import Synchronization

// Syncs and plans, and what the story claims of them.
extension StoryDevice {
  func sync(
    _ scope: RunScope = RunScope(), isToBeKilled: Bool = false, _ claims: [Claim] = []
  ) throws {
    network.beginRun()
    let run = coordinator.startSync(
      scope.stages, classes: scope.classes, comparing: scope.comparison, adopting: scope.adopting,
      confirming: memory.withLock(\.confirmed))
    let result = blocking { try await run.report }
    guard !isKilled else { return try revive() }
    guard !isToBeKilled else { return }
    if case .success(let report) = result {
      memory.withLock { $0.guarded = Set(report.guarded.map(\.confirmation)) }
    }
    try check(claims, result, actions: run.actions)
  }

  func plan(_ scope: RunScope, _ claims: [Claim]) throws {
    let coordinator = coordinator
    let confirmed = memory.withLock(\.confirmed)
    let before = try world.holdings()
    network.beginRun()
    let result = blocking {
      try await coordinator.plan(
        scope.stages, classes: scope.classes, comparing: scope.comparison,
        adopting: scope.adopting, confirming: confirmed)
    }
    guard try world.holdings() == before else {
      throw StoryFault("the plan changed what is here, staged or on the server")
    }
    memory.withLock { $0.planned = (try? result.get())?.actions ?? [] }
    try check(claims, result.map(\.report), actions: (try? result.get())?.actions ?? [])
  }

  /// Lets the removals pass that the last sync held back.
  func confirmRemovals() {
    memory.withLock { $0.confirmed.formUnion($0.guarded) }
  }

  private func check(
    _ claims: [Claim], _ result: Result<SyncReport, any Error>, actions: [SyncAction]
  ) throws {
    let report: SyncReport
    switch result {
    case .success(let value): report = value
    case .failure(let error):
      let code = (error as? SyncError)?.code.rawValue ?? ""
      guard claims.contains(.stops(code)) else {
        throw StoryFault("it stopped with \(code): \(error)")
      }
      // A run that is stopped reports nothing but the requests that it has sent.
      for case .requests(let limit) in claims where network.requestCount > limit {
        throw StoryFault("it took \(network.requestCount) requests")
      }
      return
    }
    for claim in claims {
      let planned = memory.withLock(\.planned)
      if let objection = claim.objection(report, actions, planned: planned) {
        throw StoryFault(objection)
      }
    }
  }

  /// Waits on this thread, which is none of the cooperative pool's, for something that is not done here.
  func blocking<Value: Sendable>(
    _ work: @escaping @Sendable () async throws -> Value
  ) -> Result<Value, any Error> {
    let done = DispatchSemaphore(value: 0)
    let outcome = Outcome<Value>()
    Task.detached {
      do { outcome.set(.success(try await work())) } catch { outcome.set(.failure(error)) }
      done.signal()
    }
    done.wait()
    return outcome.value ?? .failure(StoryFault("the run did not end"))
  }
}

/// A result on its way from a task to the thread that waits for it.
private final class Outcome<Value: Sendable>: Sendable {
  private let result = Mutex<Result<Value, any Error>?>(nil)

  var value: Result<Value, any Error>? { result.withLock { $0 } }

  func set(_ value: Result<Value, any Error>) { result.withLock { $0 = value } }
}

extension SyncAction {
  /// The kind of action and its row, without the reason.
  fileprivate var aim: [String] {
    [stage.rawValue, kind.rawValue, className, localID?.description ?? "-", fields.joined()]
  }
}

extension Claim {
  /// Why it does not hold; nil when it does.
  fileprivate func objection(
    _ report: SyncReport, _ actions: [SyncAction], planned: [SyncAction]
  ) -> String? {
    switch self {
    case .outcome(let outcome):
      guard report.outcome != outcome else { return nil }
      return "it was \(report.outcome.rawValue): "
        + report.notices.map(\.message).joined(separator: " ")
    case .stops(let code): return "it should stop with \(code), but it ended normally"
    case .requests(let limit):
      return report.requests <= limit ? nil : "it took \(report.requests) requests"
    case .notice(let code):
      let codes = report.notices.map(\.code.rawValue)
      return codes.contains(code) ? nil : "its notices are \(codes)"
    case .holds(let count, let className):
      let held = report.guarded.filter { $0.className == className }.map(\.count)
      return held == [count] ? nil : "it holds \(held) removals of \(className)"
    case .does(let claimed):
      let done = Self.counted(actions)
      return done == claimed.map(\.text).sorted()
        ? nil : "it did \(done.isEmpty ? "nothing" : done.joined(separator: ", "))"
    case .asPlanned:
      let isSame = Set(actions.map(\.aim)) == Set(planned.map(\.aim))
      return isSame
        ? nil
        : "it did \(Self.counted(actions).joined(separator: ", ")), and was planned to do "
          + Self.counted(planned).joined(separator: ", ")
    }
  }

  private static func counted(_ actions: [SyncAction]) -> [String] {
    Dictionary(grouping: actions) { [$0.kind.rawValue, $0.className] }
      .map { "\($0[0]) \($1.count) \($0[1])" }.sorted()
  }
}
