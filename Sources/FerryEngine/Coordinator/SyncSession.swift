// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryHTTP
import FerryModel
import FerryParse
import FerryPlanning
import FerryStore
import Foundation
import Synchronization

/// One run of a coordinator, from locking the store to releasing it.
///
/// A sync and a plan differ only in their parts: a plan's store and staging area are copies, and
/// its transport answers writes itself.
final class SyncSession: Sendable {
  private let coordinator: SyncCoordinator
  private let request: SyncRequest
  private let options: SyncOptions
  let run: SyncRun
  /// The turn among the coordinator's runs; nil on the calling thread.
  private let turn: SyncTurn?
  /// Notices a server that does not answer.
  private let watched: WatchedTransport

  init(
    coordinator: SyncCoordinator, _ request: SyncRequest, options: SyncOptions, run: SyncRun,
    turn: SyncTurn?
  ) {
    self.coordinator = coordinator
    self.request = request
    self.options = options
    self.run = run
    self.turn = turn
    watched = WatchedTransport(
      MeteredTransport(inner: DiscreetTransport(coordinator.transport), ledger: run.ledger),
      uptime: coordinator.environment.uptime)
  }

  /// Runs the stages on the store itself; without a queue, on the calling thread.
  func begin(on queue: OperationQueue?) {
    attempt { () throws(SyncError) in
      try startOnStore(retrying(watched), on: queue, stages: stages(isInLine: queue == nil)) {
        [environment = coordinator.environment, run] error, store in
        Self.note(error, run.ledger.report.notices, at: environment.now(), in: store)
      }
    }
  }

  /// Runs stages on the store itself, which no other run uses meanwhile.
  private func startOnStore(
    _ transport: any HTTPTransport, on queue: OperationQueue?, stages: (Int64) -> [any Stage],
    ended: @escaping @Sendable (SyncError?, any SyncStore) -> Void
  ) throws(SyncError) {
    let server = try serverInSession()
    let store = coordinator.syncStore
    let lock = try asking(store.lockForSync)
    do throws(SyncError) {
      try asking(store.prepareForSync)
      let staging = try openStaging()
      try start(server, store, staging, transport, sentFiles, on: queue, stages: stages) { error in
        ended(error, store)
        lock.release()
      }
    } catch {
      lock.release()
      throw error
    }
  }

  /// Runs one stage on the store itself, beside all syncs; without a queue, on the calling thread.
  ///
  /// It repeats no request, because a caller waits for the answer.
  func beginOutsideSync(_ stage: any Stage, asksServer: Bool, on queue: OperationQueue?) {
    attempt { () throws(SyncError) in
      let stages = stagesOutsideSync(stage, asksServer: asksServer)
      try startOnStore(watched, on: queue, stages: { _ in stages }) { _, _ in }
    }
  }

  /// Runs one stage that asks no server on copies.
  func beginPlanOutsideSync(_ stage: any Stage, on queue: OperationQueue?) {
    attempt { () throws(SyncError) in
      let stages = stagesOutsideSync(stage, asksServer: false)
      try startOnCopies(watched, on: queue, stages: { _ in stages })
    }
  }

  private func stagesOutsideSync(_ stage: any Stage, asksServer: Bool) -> [any Stage] {
    [IdentifyStage(asksServer: asksServer), EmptiedFieldsStage(), BackupStage(), stage]
  }

  /// Runs the stages on copies; without a queue, on the calling thread.
  func beginPlan(on queue: OperationQueue?) {
    attempt { () throws(SyncError) in
      try startOnCopies(retrying(watched), on: queue, stages: stages(isInLine: queue == nil))
    }
  }

  /// Looks one record up, and changes nothing.
  ///
  /// It repeats no request: a caller waits for the answer, and can ask again.
  func beginLookup(_ entity: Entity, objectID: String, on queue: OperationQueue) {
    attempt { () throws(SyncError) in
      try startOnCopies(watched, on: queue) { _ in
        [
          IdentifyStage(asksServer: true, adopting: request.adopting),
          RemoteRecordStage(entity: entity, objectID: objectID),
        ]
      }
    }
  }

  private func startOnCopies(
    _ transport: any HTTPTransport, on queue: OperationQueue?, stages: (Int64) -> [any Stage]
  ) throws(SyncError) {
    let server = try serverInSession()
    let (clone, staging) = try copies()
    turn?.end()
    let environment = coordinator.environment
    let accepting = AcceptingTransport(
      transport, server: server, closedClasses: try classesForUsersOnly(in: clone, as: server),
      now: environment.now, makeID: { environment.mintID() })
    let files = OutgoingFiles(readingIn: coordinator.fileFetches.folder)
    try start(server, clone, staging, accepting, files, on: queue, stages: stages) { _ in
      // The copies are removed now, because a program may end as soon as it has the answer.
      clone.discardClone()
      staging.discardClone()
    }
  }

  /// The classes of which the server took creates only from users when it was last asked; none for a user, and none for
  /// the master key.
  private func classesForUsersOnly(
    in store: any SyncStore, as server: ParseServer
  ) throws(SyncError) -> Set<String> {
    guard server.session.token == nil, !server.usesMasterKey else { return [] }
    return try asking { () throws(StoreError) in
      try store.syncRead { reader throws(StoreError) in try reader.classesForUsersOnly() }
    }
  }

  /// A view of the store, and a copy of the staging area, of a moment when nobody syncs.
  ///
  /// A plan needs the right to sync no longer than that: a sync that follows its end must not be refused.
  private func copies() throws(SyncError) -> (any SyncStore, StagingArea) {
    let store = coordinator.syncStore
    let lock = try asking(store.lockForSync)
    defer { lock.release() }
    return (try asking(store.overlaid), try openStaging().clone())
  }

  private var sentFiles: OutgoingFiles { OutgoingFiles(in: coordinator.fileFetches.folder) }

  private func openStaging() throws(SyncError) -> StagingArea {
    try StagingArea(
      folder: coordinator.staging, files: coordinator.stagingFiles,
      importsAtOnce: request.selection.stages.contains(.importing))
  }

  private func attempt(_ begin: () throws(SyncError) -> Void) {
    do {
      try begin()
    } catch {
      Self.end(run, turn, .failure(error))
    }
  }

  /// Ends a run, and lets the next one begin.
  private static func end(
    _ run: SyncRun, _ turn: SyncTurn?, _ result: Result<SyncReport, SyncError>
  ) {
    run.end(result)
    turn?.end()
  }

  /// Asks the store for what needs no transaction.
  private func asking<Answer>(
    _ body: () throws(StoreError) -> Answer
  ) throws(SyncError) -> Answer {
    do {
      return try body()
    } catch {
      throw SyncError(error)
    }
  }

  /// The server in the session of this run; it checks the address, and waits for the app's token.
  ///
  /// The app is asked before the store is locked: whatever it does meanwhile, a sync of another process may run.
  private func serverInSession() throws(SyncError) -> ParseServer {
    do {
      try coordinator.server.validate()
    } catch {
      throw SyncError(error)
    }
    // An import of staged pages asks no server, so it needs no token.
    guard request.selection.stages != [.importing] else {
      return coordinator.server.inSession(of: nil)
    }
    do {
      return try coordinator.server.inPresentSession(
        within: options.sessionTimeout, cancellation: run.cancellation)
    } catch {
      throw SyncError(error)
    }
  }

  private func start(
    _ server: ParseServer, _ store: any SyncStore, _ staging: StagingArea,
    _ transport: any HTTPTransport, _ files: OutgoingFiles, on queue: OperationQueue?,
    stages: (_ newestConflict: Int64) -> [any Stage],
    ended: @escaping @Sendable (SyncError?) -> Void
  ) throws(SyncError) {
    let newestConflict = try asking { () throws(StoreError) in
      try store.syncRead { reader throws(StoreError) in
        try reader.conflicts(limit: 1).first?.id ?? 0
      }
    }
    let context = StageContext(
      store: store, staging: staging, server: server,
      transport: transport, files: files,
      conflicts: coordinator.conflicts, options: options, request: request,
      conflictRun: newestConflict + 1,
      environment: coordinator.environment,
      cancellation: run.cancellation, ledger: run.ledger,
      events: run.broadcast)
    context.events.send(.started)
    // On the calling thread nobody listens meanwhile.
    let silence = queue.map { _ in sayWhenSilent() }
    Pipeline(stages: stages(newestConflict)).start(in: context, on: queue) { [run, turn] error in
      silence?.cancel()
      ended(error)
      // The session is not kept: a program may end with the run, and removes what its store left before.
      Self.end(run, turn, error.map { .failure($0) } ?? .success(run.ledger.report))
    }
  }

  /// Notes in the store how a sync ended, so that other processes know it.
  ///
  /// A store that cannot be written stays as it is.
  private static func note(
    _ error: SyncError?, _ notices: [SyncNotice], at time: Timestamp, in store: any SyncStore
  ) {
    guard error?.code != .cancelled else { return }
    try? store.sync(.normal) { transaction throws(StoreError) in
      try transaction.change(.lastSync) { $0.note(error, notices, at: time) }
    }
  }

  /// The stages of a sync or a plan, by the number of the newest conflict record before it.
  private func stages(isInLine: Bool) -> (Int64) -> [any Stage] {
    { [self] newestConflict in stages(after: newestConflict, isInLine: isInLine) }
  }

  private func stages(after newestConflict: Int64, isInLine: Bool) -> [any Stage] {
    let selected = request.selection.stages
    let asksServer = selected != [.importing]
    var stages: [any Stage] = [
      IdentifyStage(asksServer: asksServer, adopting: request.adopting), EmptiedFieldsStage(),
      BackupStage(),
    ]
    if asksServer { stages += [ResolveStage(), FilesAfterLoginStage()] }
    stages.append(EarlierFailuresStage())
    let importing: DownloadStage.Importing? =
      selected.contains(.importing) ? (isInLine ? .inLine : .onThreadOfItsOwn) : nil
    return stages + selected.flatMap { Self.stages($0, importing) }
      + (asksServer ? [SentFilesStage(), ReplacedFilesStage(), UnwrittenContentsStage()] : [])
      + [RemainderStage(newestConflict: newestConflict), PruneStage()]
  }

  /// The stage of that name, and the listing of members behind the search for deletions: both ask the server.
  private static func stages(
    _ name: StageName, _ importing: DownloadStage.Importing?
  ) -> [any Stage] {
    let stage = stage(name, importing)
    return name == .deleteMissing ? [stage, MembersStage()] : [stage]
  }

  private static func stage(
    _ name: StageName, _ importing: DownloadStage.Importing?
  ) -> any Stage {
    switch name {
    case .download: DownloadStage(importing: importing)
    case .importing: ImportStage()
    case .deleteMissing: DeleteMissingStage()
    case .postCreated: PostCreatedStage()
    case .putUpdated: PutUpdatedStage()
    case .deleteDeleted: DeleteDeletedStage()
    }
  }

  /// Repeats requests that are worth it, and sends an event for each.
  private func retrying(_ transport: any HTTPTransport) -> any HTTPTransport {
    let environment = coordinator.environment
    return RetryingTransport(
      transport,
      surroundings: .init(
        jitter: { environment.chance() },
        now: { Double(environment.now().milliseconds) / 1000 }, uptime: environment.uptime),
      isRateLimited: { response in
        guard !(200...299).contains(response.status) else { return false }
        return ParseError(response, to: .read, reader: JSONReader()).meaning == .rateLimited
      },
      mayReconnect: { [run, request] in !request.isTriedAgain || run.ledger.bytes.down > 0 },
      observer: { [run] retry in
        run.broadcast.send(.retrying(reason: retry.reason, after: retry.delay))
      })
  }

  /// Says when the server is silent, until the run ends.
  private func sayWhenSilent() -> Task<Void, Never> {
    Task { [watched, run] in
      while !Task.isCancelled {
        if let seconds = watched.silenceToSay() {
          run.broadcast.send(.waiting(seconds: seconds))
        }
        try? await Task.sleep(for: .milliseconds(500))
      }
    }
  }
}

extension RetryingTransport.Retry {
  /// Why the request is repeated, as a sentence.
  fileprivate var reason: String {
    switch result {
    case .success(let response): "The server answered with HTTP \(response.status)."
    case .failure(let error): error.happening ?? error.message
    }
  }
}
