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
/// coordinator. Any thread may call its methods. Only one run at a time may use a store. The runs of
/// one coordinator wait for each other. A run of another coordinator or process ends at once with a
/// `busy` error.
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
  let turns = SyncTurns()
  let activity: CoordinatorActivity
  let fileFetches: FileFetches
  let wakeUps = Broadcast<WakeUp>(uniting: WakeUp.united)

  /// Makes a coordinator; it opens and sends nothing before the first run.
  ///
  /// - Parameters:
  ///   - store: The store to sync.
  ///   - server: The server to sync with.
  ///   - staging: A folder for the server's answers; the coordinator creates it if necessary. The contents of fetched
  ///     files go to the folder `files` beside it.
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
    environment: SyncEnvironment, terms: FileTerms? = nil
  ) {
    self.store = store
    self.server = server
    self.staging = staging
    stagingFiles = files
    self.conflicts = conflicts
    self.options = options
    self.transport = transport
    self.environment = environment
    activity = CoordinatorActivity(uptime: environment.uptime)
    fileFetches = FileFetches(
      folder: FileFolder(
        url: staging.deletingLastPathComponent().appending(
          path: "files", directoryHint: .isDirectory)),
      server: server, transport: transport, terms: terms ?? FileTerms(options),
      environment: environment)
    queue = OperationQueue()
    queue.name = "Ferry.SyncCoordinator"
  }

  /// Starts a sync and returns at once.
  ///
  /// While another run of this coordinator goes on, the new one waits for its end. A request for the same stages that
  /// comes while one waits becomes part of that one: both callers get the same run, which does what both asked for.
  ///
  /// - Parameters:
  ///   - selection: The stages to run; all by default.
  ///   - classes: The classes to ask the server about; all by default. The rows of other classes stay as they are. Unsent
  ///     changes of all classes are sent.
  ///   - comparison: How much of each of these classes to compare record by record; by default a share a day.
  ///   - adopting: The previous owners from which the store may be taken over; none by default.
  ///   - confirmedRemovals: Removals that an earlier run held back and that may pass now, by
  ///     `GuardedRemoval.confirmation`.
  /// - Returns: The run, to watch, await or cancel. A class that is not registered ends it with code `configuration`.
  public func startSync(
    _ selection: StageSelection = .all, classes: Set<String>? = nil,
    comparing comparison: SyncComparison = .rolling, adopting: Set<StoreAdoption> = [],
    confirming confirmedRemovals: Set<String> = []
  ) -> SyncRun {
    let request = SyncRequest(
      selection: selection, classes: classes, comparison: comparison, adopting: adopting,
      confirmedRemovals: confirmedRemovals)
    return startSync(request, uniting: true)
  }

  /// Starts a sync, which may become part of one that waits.
  func startSync(_ request: SyncRequest, uniting mayUnite: Bool) -> SyncRun {
    begin(newRun(notedBy: activity), request, uniting: mayUnite) { [queue] session in
      session.begin(on: queue)
    }
  }

  /// Syncs, and returns the report at the end.
  ///
  /// ```swift
  /// // The list on the screen comes first, and the rest later.
  /// _ = try await coordinator.sync(classes: ["Game"])
  /// ```
  ///
  /// If the awaiting task is cancelled, the wait ends at once, and the run goes on. `startSync` gives a run that can be
  /// cancelled.
  ///
  /// - Parameter classes: The classes to ask the server about; all by default. Unsent changes of all classes are sent.
  /// - Returns: The report of the run.
  /// - Throws: `SyncError` when something stopped the whole run; with code `waitCancelled` when the awaiting task was
  ///   cancelled before its end.
  @discardableResult
  public func sync(classes: Set<String>? = nil) async throws(SyncError) -> SyncReport {
    try await startSync(classes: classes).report
  }

  /// Lists what a sync would do now, without doing it.
  ///
  /// The same stages run on copies of the store and the staging area. Reads go to the server; the
  /// plan answers writes itself. It changes nothing on either side. While a run of this coordinator goes on, the plan
  /// waits for its end.
  ///
  /// - Parameters:
  ///   - selection: The stages to plan; all by default.
  ///   - classes: The classes to ask the server about; all by default.
  ///   - comparison: How much of each of these classes to compare record by record; by default a share a day.
  ///   - adopting: The previous owners from which the store may be taken over, in the plan only;
  ///     none by default.
  ///   - confirmedRemovals: Removals that an earlier run held back and that may pass, by
  ///     `GuardedRemoval.confirmation`.
  /// - Returns: The actions in order.
  /// - Throws: `SyncError` if the error would also stop a sync.
  public func plan(
    _ selection: StageSelection = .all, classes: Set<String>? = nil,
    comparing comparison: SyncComparison = .rolling, adopting: Set<StoreAdoption> = [],
    confirming confirmedRemovals: Set<String> = []
  ) async throws(SyncError) -> SyncPlan {
    let run = startPlan(
      selection, classes: classes, comparing: comparison, adopting: adopting,
      confirming: confirmedRemovals)
    let result = await run.resultOrCancelled()
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
  ///   - classes: The classes to ask the server about; all by default.
  ///   - comparison: How much of each of these classes to compare record by record; by default a share a day.
  ///   - adopting: The previous owners from which the store may be taken over, in the plan only;
  ///     none by default.
  ///   - confirmedRemovals: Removals that an earlier run held back and that may pass, by
  ///     `GuardedRemoval.confirmation`.
  /// - Returns: The run on the copies, to watch, await or cancel.
  public func startPlan(
    _ selection: StageSelection = .all, classes: Set<String>? = nil,
    comparing comparison: SyncComparison = .rolling, adopting: Set<StoreAdoption> = [],
    confirming confirmedRemovals: Set<String> = []
  ) -> SyncRun {
    let request = SyncRequest(
      selection: selection, classes: classes, comparison: comparison, adopting: adopting,
      confirmedRemovals: confirmedRemovals)
    return begin(newRun(), request, uniting: false) { [queue] session in
      session.beginPlan(on: queue)
    }
  }

  /// Blocks until no stage of any run is running.
  package func waitForStages() { queue.waitUntilAllOperationsAreFinished() }

  /// The store with the interface for the engine.
  var syncStore: any SyncStore { store.syncAccess.store }

  /// Begins a run on the queue when its turn comes.
  func begin(
    _ run: SyncRun, _ request: SyncRequest, options: SyncOptions? = nil, uniting mayUnite: Bool,
    _ begin: @escaping @Sendable (SyncSession) -> Void
  ) -> SyncRun {
    do {
      try request.checkClasses(in: store.schema)
    } catch {
      run.end(.failure(error))
      return run
    }
    return turns.take(request, for: run, uniting: mayUnite) { request, turn in
      let session = SyncSession(
        coordinator: self, request, options: options ?? self.options, run: run, turn: turn)
      self.queue.addOperation { begin(session) }
    }
  }

  /// A run that has not begun; a sync is noted for those who look at the coordinator.
  func newRun(notedBy activity: CoordinatorActivity? = nil) -> SyncRun {
    let ledger = RunLedger(
      classNames: store.schema.entities.map(\.name), actionLimit: options.plannedActionLimit)
    guard let activity else { return SyncRun(ledger: ledger) }
    let number = activity.nextNumber()
    return SyncRun(ledger: ledger) { activity.note($0, of: number, ledger.bytes) }
  }
}
