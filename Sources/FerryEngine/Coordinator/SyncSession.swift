// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryHTTP
import FerryModel
import FerryParse
import FerryPlanning
import FerryStore
import Foundation
import Synchronization

/// One run of a coordinator, from taking the store to letting it go.
///
/// A sync and a plan differ in what they are composed of, and in nothing else: the plan's store and
/// staging area are copies, and its transport answers writes itself.
final class SyncSession: Sendable {
  private let coordinator: SyncCoordinator
  private let selection: StageSelection
  private let comparison: SyncComparison
  private let adopting: Set<StoreAdoption>
  private let run: SyncRun

  init(
    coordinator: SyncCoordinator, selection: StageSelection, comparison: SyncComparison,
    adopting: Set<StoreAdoption>, run: SyncRun
  ) {
    self.coordinator = coordinator
    self.selection = selection
    self.comparison = comparison
    self.adopting = adopting
    self.run = run
  }

  /// What was done, in its order.
  var plan: SyncPlan { SyncPlan(actions: run.actions, report: run.ledger.report) }

  /// Runs the stages on the store itself.
  func begin(on queue: OperationQueue) {
    attempt {
      let store = try openStore()
      let lock = try store.lockForSync()
      let staging = try StagingArea(folder: coordinator.staging)
      start(store, staging, transport, on: queue) { lock.release() }
    }
  }

  /// Runs the stages on copies.
  func beginPlan(on queue: OperationQueue) {
    attempt {
      let store = try openStore()
      let lock = try store.lockForSync()
      defer { lock.release() }
      let clone = try store.clone()
      let staging = try StagingArea(folder: coordinator.staging).clone()
      let environment = coordinator.environment
      let accepting = AcceptingTransport(
        transport, server: coordinator.server, now: environment.now,
        makeID: { environment.mintID() })
      start(clone, staging, accepting, on: queue) {
        // Now, because a program may end as soon as it has the plan.
        clone.discardClone()
        staging.discardClone()
      }
    }
  }

  private func attempt(_ begin: () throws -> Void) {
    do {
      try begin()
    } catch {
      run.end(.failure(SyncError(describing: error)))
    }
  }

  /// The store, after everything has been checked that needs no server.
  private func openStore() throws -> any SyncStore {
    let store = coordinator.syncStore
    try coordinator.server.validate()
    return store
  }

  private func start(
    _ store: any SyncStore, _ staging: StagingArea, _ transport: any HTTPTransport,
    on queue: OperationQueue, ended: @escaping @Sendable () -> Void
  ) {
    let context = StageContext(
      store: store, staging: staging, server: coordinator.server.inPresentSession,
      transport: transport,
      conflicts: coordinator.conflicts, options: coordinator.options, comparison: comparison,
      environment: coordinator.environment, cancellation: run.cancellation, ledger: run.ledger,
      events: run.broadcast)
    context.events.send(.started)
    Pipeline(stages: stages).start(in: context, on: queue) { [run] error in
      ended()
      run.end(error.map { .failure($0) } ?? .success(run.ledger.report))
    }
  }

  private var stages: [any Stage] {
    let selected = selection.stages
    let asksServer = selected != [.importing]
    var stages: [any Stage] = [
      IdentifyStage(asksServer: asksServer, adopting: adopting)
    ]
    if asksServer { stages.append(ResolveStage()) }
    return stages + selected.map(Self.stage) + [RemainderStage(), PruneHistoryStage()]
  }

  private static func stage(_ name: StageName) -> any Stage {
    switch name {
    case .download: DownloadStage()
    case .importing: ImportStage()
    case .deleteMissing: DeleteMissingStage()
    case .postCreated: PostCreatedStage()
    case .putUpdated: PutUpdatedStage()
    case .deleteDeleted: DeleteDeletedStage()
    }
  }

  /// Repeats what is worth it, counts what is sent, and tells of both.
  private var transport: any HTTPTransport {
    let environment = coordinator.environment
    return RetryingTransport(
      MeteredTransport(inner: coordinator.transport, ledger: run.ledger),
      surroundings: .init(
        jitter: { Double(environment.random() >> 11) / Double(1 << 53) },
        now: { Double(environment.now().milliseconds) / 1000 }),
      isRateLimited: { response in
        guard response.status == 400, let reader = try? JSONReader() else { return false }
        return ParseError(response, isWrite: false, reader: reader).meaning == .rateLimited
      },
      observer: { [run] retry in
        run.broadcast.send(.retrying(reason: retry.reason, after: retry.delay))
      })
  }
}

extension RetryingTransport.Retry {
  /// Why it is tried again, as a sentence.
  fileprivate var reason: String {
    switch result {
    case .success(let response): "The server answered with HTTP \(response.status)."
    case .failure(let error): error.message
    }
  }
}
