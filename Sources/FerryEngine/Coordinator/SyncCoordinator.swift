// Ferry: offline-first sync for Parse Server. MIT licence.

public import FerryHTTP
import FerryModel
public import FerryParse
public import FerryPlanning
public import FerryStore
public import Foundation

/// Keeps a store in step with a Parse Server.
///
/// Make one for each store you sync, and keep it as long as you like; there is no shared one. Its
/// methods may be called from any thread. One run at a time: starting a second while one is under way
/// ends the second at once with a `busy` error, in this process or another.
///
/// ```swift
/// let run = coordinator.startSync()
/// for await event in run.events { print(event) }
/// print(try await run.report.outcome)
/// ```
public final class SyncCoordinator: Sendable {
  let store: any Store
  let server: ParseServer
  let staging: URL
  let transport: any HTTPTransport
  let conflicts: ConflictPolicies
  let options: SyncOptions
  let environment: SyncEnvironment
  private let queue: OperationQueue

  /// Makes a coordinator; nothing is opened or sent before the first run.
  ///
  /// - Parameters:
  ///   - store: The rows to keep in step.
  ///   - server: The server to keep them in step with.
  ///   - staging: A folder for the server's answers; made when it is not there.
  ///   - conflicts: Whose value stays when both sides changed a field.
  ///   - options: How to sync.
  ///   - transport: What sends the requests.
  ///   - environment: Where time and chance come from.
  public init(
    store: any Store, server: ParseServer, staging: URL,
    conflicts: ConflictPolicies = .remoteWins, options: SyncOptions = SyncOptions(),
    transport: any HTTPTransport, environment: SyncEnvironment = .live
  ) {
    self.store = store
    self.server = server
    self.staging = staging
    self.conflicts = conflicts
    self.options = options
    self.transport = transport
    self.environment = environment
    queue = OperationQueue()
    queue.name = "Ferry.SyncCoordinator"
  }

  /// Starts a sync and returns at once.
  ///
  /// - Parameters:
  ///   - selection: Which stages to run; all by default.
  ///   - comparison: How much of each class to compare record by record; by default a share a day.
  ///   - adopting: What the store's data may be taken over from; nothing by default.
  ///   - confirmedRemovals: Removals that an earlier run held back and that may pass now, by
  ///     `GuardedRemoval.confirmation`.
  /// - Returns: The run, to watch, await or cancel.
  public func startSync(
    _ selection: StageSelection = .all, comparing comparison: SyncComparison = .rolling,
    adopting: Set<StoreAdoption> = [], confirming confirmedRemovals: Set<String> = []
  ) -> SyncRun {
    let run = SyncRun(ledger: newLedger())
    let session = SyncSession(
      coordinator: self, selection: selection, comparison: comparison, adopting: adopting,
      confirmedRemovals: confirmedRemovals, run: run)
    queue.addOperation { session.begin(on: self.queue) }
    return run
  }

  /// Finds out what a sync would do now, and does none of it.
  ///
  /// The same stages run on copies of the store and the staging area; reads go to the server,
  /// writes are answered here. Nothing is written on either side.
  ///
  /// - Parameters:
  ///   - selection: Which stages to look at; all by default.
  ///   - comparison: How much of each class to compare record by record; by default a share a day.
  ///   - adopting: What the store's data may be taken over from, in the plan only; nothing by
  ///     default.
  ///   - confirmedRemovals: Removals that an earlier run held back and that may pass, by
  ///     `GuardedRemoval.confirmation`.
  /// - Returns: The actions in their order.
  /// - Throws: `SyncError` when a sync would be stopped too.
  public func plan(
    _ selection: StageSelection = .all, comparing comparison: SyncComparison = .rolling,
    adopting: Set<StoreAdoption> = [], confirming confirmedRemovals: Set<String> = []
  ) async throws -> SyncPlan {
    let run = SyncRun(ledger: newLedger())
    let session = SyncSession(
      coordinator: self, selection: selection, comparison: comparison, adopting: adopting,
      confirmedRemovals: confirmedRemovals, run: run)
    queue.addOperation { session.beginPlan(on: self.queue) }
    return try await withTaskCancellationHandler {
      try await run.waitUntilEnded()
      return session.plan
    } onCancel: {
      run.cancel()
    }
  }

  /// Returns when no stage of any run is under way; blocks until then.
  package func waitForStages() { queue.waitUntilAllOperationsAreFinished() }

  /// The store as the engine needs it.
  var syncStore: any SyncStore { store.syncAccess.store }

  private func newLedger() -> RunLedger {
    RunLedger(
      classNames: store.schema.entities.map(\.name), actionLimit: options.plannedActionLimit)
  }
}
