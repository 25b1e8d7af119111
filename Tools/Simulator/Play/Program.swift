// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryEngine
import FerryModel
import FerryParse
import FerryPlanning
import FerrySQLite
import FerryScenarios
import FerryStore
import Foundation
import SimulatedDisk

/// A program of a device: a process with its own connection to the store, its own network and coordinator.
final class Program {
  /// The store behind all that stands in front of it.
  let store: any SyncStore
  /// The fields that it declares.
  let declaration: Declaration
  let network: SimulatedNetwork
  let folder: DeviceFolder
  private(set) var isKilled = false
  private let observed: ObservedStore
  private let coordinator: SyncCoordinator
  private let environment: SyncEnvironment
  private let options: SyncOptions
  let disk: SimulatedDisk?
  private var observations: ObservedQueries
  /// The process of the disk; nil without one.
  private let process: Int?

  /// Starts the program.
  ///
  /// - Parameters:
  ///   - database: The file of the device's store.
  ///   - declaration: The fields that it declares.
  ///   - folder: The folder with its staging folder.
  ///   - disk: The simulated disk with the files; nil for none.
  ///   - state: The clock and the session of the device.
  ///   - surroundings: The parts of the world around the device.
  /// - Throws: `StoreError` if the store cannot be opened.
  init(
    at database: URL, declaring declaration: Declaration, in folder: DeviceFolder,
    on disk: SimulatedDisk?,
    of state: DeviceState, _ surroundings: Device.Surroundings
  ) throws {
    self.declaration = declaration
    self.folder = folder
    self.disk = disk
    process = disk?.beginProcess()
    let clock = surroundings.clock
    let schema = declaration.schema(of: surroundings.worldClasses)
    // An older program updates the few rows of a page in bulk, so that worlds have both ways.
    store = try SQLiteStore(
      at: database, schema: schema, generator: clock.generator,
      bulkUpdate: declaration == .older ? 1 : nil,
      now: { Timestamp(milliseconds: clock.milliseconds) })
    observations = ObservedQueries(of: store.schema)
    environment = clock.environment { state.ahead }
    observed = ObservedStore(store, bug: surroundings.bug, committed: surroundings.committed)
    network = SimulatedNetwork(surroundings.network, now: environment.now)
    let settings = surroundings.settings
    options = settings.sync
    coordinator = SyncCoordinator(
      store: observed,
      server: Self.server(at: surroundings.network.server.url, asUserOf: state),
      staging: folder.staging, files: disk.map(StagingFiles.init(on:)) ?? StagingFiles(),
      conflicts: surroundings.schema.entities.reduce(ConflictPolicies(settings.conflicts)) {
        $0.deletions(in: $1.name, settings.deletions)
      }, options: settings.sync, transport: network, environment: environment)
    disk?.lostPower.append { [weak self] in self?.end() }
  }

  /// The server, in the session of the moment; nothing waits on another thread.
  private static func server(at url: URL, asUserOf state: DeviceState) -> ParseServer {
    var server = ParseServer(url: url, applicationID: "app1")
    server.session = RequestSession { state.session.map { Secret($0.token) } }
    return server
  }

  /// Makes this program the one at work.
  func takeOver() {
    if let disk, let process { disk.process = process }
  }

  /// Holds what the program observes against its store; where the disk may fail, its app does not look.
  ///
  /// - Throws: `Violation` for a list that is not that of its query.
  func checkObservations() throws {
    guard disk == nil, !isKilled else { return }
    try observations.check(store)
  }

  // MARK: Runs

  func sync(
    _ selection: StageSelection, _ classes: Set<String>?, _ comparison: SyncComparison,
    confirming guarded: Set<String>
  ) -> SyncRun {
    begin()
    // A program of other fields may not have each class.
    let known = classes.map { $0.filter { store.schema.entity($0) != nil } }
    return coordinator.syncInLine(
      selection, classes: known, comparing: comparison, confirming: guarded)
  }

  func plan(
    _ comparison: SyncComparison, asking classes: Set<String>?, confirming guarded: Set<String>
  ) -> SyncRun {
    begin()
    return coordinator.planInLine(classes: classes, comparing: comparison, confirming: guarded)
  }

  var now: Timestamp { environment.now() }

  /// The changes that a sync could send now.
  func unsentWork() throws -> UnsentWork {
    let (now, options) = (now, options)
    return try store.syncRead { reader throws(StoreError) in
      try reader.unsentWork(at: now, options)
    }
  }

  func fetch(_ query: Query) throws -> (run: SyncRun, fetched: FetchedRecords?) {
    begin()
    return try coordinator.fetchInLine(query)
  }

  func evict(_ records: [RecordReference]) -> (run: SyncRun, report: EvictionReport?) {
    begin()
    return coordinator.evictInLine(records)
  }

  private func begin() {
    observed.beginRun(at: environment.now())
    network.beginRun()
  }

  // MARK: The end

  /// Ends the process: from now on nothing is written or sent.
  ///
  /// - Parameter isOnly: Whether the device has no other program.
  /// - Throws: The error of a file.
  func kill(isOnly: Bool) throws {
    guard !isKilled else { return }
    end()
    guard let disk, let process else { return try folder.keepStaging() }
    if isOnly { disk.turnOff() } else { disk.end(process) }
  }

  private func end() {
    isKilled = true
    observed.kill()
    network.kill()
  }

  /// Lets the transactions to come fail; nil lets them work again.
  func failStore(_ failure: StoreFailure?) { observed.fail(failure) }
}
