// Ferry: offline-first sync for Parse Server. MIT licence.

public import FerryHTTP
import FerryModel
public import FerryParse
public import FerryPlanning
public import FerryStore
public import Foundation

/// Syncs a store with a Parse Server.
///
/// Make one coordinator for each store, and keep it as long as you like. There is no shared
/// coordinator. Any thread may call its methods. Only one run at a time may use a store: a second
/// one ends at once with a `busy` error, in this process or another.
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
  let stagingFiles: StagingFiles
  let transport: any HTTPTransport
  let conflicts: ConflictPolicies
  let options: SyncOptions
  let environment: SyncEnvironment
  let queue: OperationQueue

  /// Makes a coordinator; it opens and sends nothing before the first run.
  ///
  /// - Parameters:
  ///   - store: The store to sync.
  ///   - server: The server to sync with.
  ///   - staging: A folder for the server's answers; the coordinator creates it if necessary.
  ///   - conflicts: Which value stays if both sides changed a field.
  ///   - options: The settings of a sync.
  ///   - transport: The transport that sends the requests.
  ///   - environment: The source of time and random numbers.
  public convenience init(
    store: any Store, server: ParseServer, staging: URL,
    conflicts: ConflictPolicies = .remoteWins, options: SyncOptions = SyncOptions(),
    transport: any HTTPTransport, environment: SyncEnvironment = .live
  ) {
    self.init(
      store: store, server: server, staging: staging, files: StagingFiles(), conflicts: conflicts,
      options: options, transport: transport, environment: environment)
  }

  /// Makes a coordinator whose staging folder is on the disk of a simulator.
  package init(
    store: any Store, server: ParseServer, staging: URL, files: StagingFiles,
    conflicts: ConflictPolicies, options: SyncOptions, transport: any HTTPTransport,
    environment: SyncEnvironment
  ) {
    self.store = store
    self.server = server
    self.staging = staging
    stagingFiles = files
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
  ///   - selection: The stages to run; all by default.
  ///   - comparison: How much of each class to compare record by record; by default a share a day.
  ///   - adopting: The previous owners from which the store may be taken over; none by default.
  ///   - confirmedRemovals: Removals that an earlier run held back and that may pass now, by
  ///     `GuardedRemoval.confirmation`.
  /// - Returns: The run, to watch, await or cancel.
  public func startSync(
    _ selection: StageSelection = .all, comparing comparison: SyncComparison = .rolling,
    adopting: Set<StoreAdoption> = [], confirming confirmedRemovals: Set<String> = []
  ) -> SyncRun {
    let session = newSession(selection, comparison, adopting, confirmedRemovals)
    queue.addOperation { session.begin(on: self.queue) }
    return session.run
  }

  /// Lists what a sync would do now, without doing it.
  ///
  /// The same stages run on copies of the store and the staging area. Reads go to the server; the
  /// plan answers writes itself. It changes nothing on either side.
  ///
  /// - Parameters:
  ///   - selection: The stages to plan; all by default.
  ///   - comparison: How much of each class to compare record by record; by default a share a day.
  ///   - adopting: The previous owners from which the store may be taken over, in the plan only;
  ///     none by default.
  ///   - confirmedRemovals: Removals that an earlier run held back and that may pass, by
  ///     `GuardedRemoval.confirmation`.
  /// - Returns: The actions in order.
  /// - Throws: `SyncError` if the error would also stop a sync.
  public func plan(
    _ selection: StageSelection = .all, comparing comparison: SyncComparison = .rolling,
    adopting: Set<StoreAdoption> = [], confirming confirmedRemovals: Set<String> = []
  ) async throws(SyncError) -> SyncPlan {
    let run = startPlan(
      selection, comparing: comparison, adopting: adopting, confirming: confirmedRemovals)
    let result = await withTaskCancellationHandler {
      await run.resultAtEnd()
    } onCancel: {
      run.cancel()
    }
    if case .failure(let error)? = result { throw error }
    return run.plan
  }

  /// Starts a plan and returns at once, for an app that shows its events or cancels it.
  ///
  /// ```swift
  /// let run = coordinator.startPlan()
  /// for await event in run.events { print(event) }
  /// _ = try await run.report
  /// print(run.plan)
  /// ```
  ///
  /// - Parameters:
  ///   - selection: The stages to plan; all by default.
  ///   - comparison: How much of each class to compare record by record; by default a share a day.
  ///   - adopting: The previous owners from which the store may be taken over, in the plan only;
  ///     none by default.
  ///   - confirmedRemovals: Removals that an earlier run held back and that may pass, by
  ///     `GuardedRemoval.confirmation`.
  /// - Returns: The run on the copies, to watch, await or cancel.
  public func startPlan(
    _ selection: StageSelection = .all, comparing comparison: SyncComparison = .rolling,
    adopting: Set<StoreAdoption> = [], confirming confirmedRemovals: Set<String> = []
  ) -> SyncRun {
    let session = newSession(selection, comparison, adopting, confirmedRemovals)
    queue.addOperation { session.beginPlan(on: self.queue) }
    return session.run
  }

  /// Blocks until no stage of any run is running.
  package func waitForStages() { queue.waitUntilAllOperationsAreFinished() }

  /// The store with the interface for the engine.
  var syncStore: any SyncStore { store.syncAccess.store }

  func newSession(
    _ selection: StageSelection, _ comparison: SyncComparison, _ adopting: Set<StoreAdoption>,
    _ confirmedRemovals: Set<String>, options: SyncOptions? = nil
  ) -> SyncSession {
    let options = options ?? self.options
    let ledger = RunLedger(
      classNames: store.schema.entities.map(\.name), actionLimit: options.plannedActionLimit)
    return SyncSession(
      coordinator: self, selection: selection, comparison: comparison, adopting: adopting,
      confirmedRemovals: confirmedRemovals, options: options,
      run: SyncRun(ledger: ledger))
  }
}
