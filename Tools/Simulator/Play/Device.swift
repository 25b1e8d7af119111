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

/// A device of a world: the shipped engine on a real store, with its own network and clock.
final class Device: @unchecked Sendable {
  /// The parts of the world that a device needs.
  struct Surroundings {
    var settings: WorldSettings
    var worldClasses: [WorldClass]
    /// The classes as the present programs declare them.
    var schema: Schema
    var classes: ClassTable
    var clock: SimulatedClock
    var network: SimulatedNetwork.Surroundings
    var identities: Identities
    var bug: SeededBug?
    /// Called after each commit by the engine, with what it wrote.
    var committed: (StoreNotes) -> Void
  }

  let number: Int
  var letter: String { Writer.letter(of: number) }
  let surroundings: Surroundings
  /// The files; after a loss of power they are in another folder.
  private var folder: DeviceFolder
  /// The simulated disk with the files; nil where the device ends between commits alone.
  private(set) var disk: SimulatedDisk?
  /// How often the power came back.
  private var lives = 0
  private let state = DeviceState()
  /// The program that works.
  private(set) var program: Program
  /// The device's other program; nil until it starts for the first time.
  private var other: Program?
  private var backup:
    (store: any SyncStore, owner: User?, declaration: Declaration, history: AppHistory)?
  /// The copy of a backup to which the device went back; its file is the device's from then on.
  private var copy: SQLiteStore?
  /// The user whose data the store holds; nil for nobody.
  private(set) var owner: User?
  /// The transactions of the app in the store.
  var history = AppHistory()
  /// The removals that the last sync held back.
  private(set) var guarded: Set<String> = []

  init(
    _ number: Int, in folder: URL, from template: StoreTemplate, _ surroundings: Surroundings
  ) throws {
    self.number = number
    let place = folder.appending(path: Writer.letter(of: number))
    if surroundings.settings.hasSimulatedDisks { disk = try SimulatedDisk(folder: place) }
    self.folder = try DeviceFolder(disk?.folder ?? place)
    self.surroundings = surroundings
    // A simulated disk knows the files that were made on it alone.
    if disk == nil { try template.copy(to: self.folder.database) }
    owner = surroundings.settings.owner(of: number)
    program = try Program(
      at: self.folder.database, declaring: .present, in: self.folder, on: disk, of: state,
      surroundings)
  }

  // MARK: Programs

  var isKilled: Bool { program.isKilled }
  /// The fields that the program declares.
  var declaration: Declaration { program.declaration }
  /// Whether a program works that sees no values of later fields.
  var hidesLater: Bool { declaration.hidesLater }

  /// The other program works from now on; the first one lives on.
  func switchProgram() throws {
    let next =
      try other ?? startWhateverFails { try start(declaring: .present, in: otherFolder()) }
    // After a loss of power, the first program does not come back.
    other = program.disk === disk ? program : nil
    program = next
    program.takeOver()
    // A sync may have changed the pages that the killed program left.
    if disk == nil, program.isKilled { try program.folder.keepStaging() }
  }

  private func otherFolder() throws -> DeviceFolder {
    let isFirst = program.folder.url == folder.url
    return isFirst && !surroundings.settings.sharesStaging
      ? try DeviceFolder(folder.url.appending(path: "other")) : folder
  }

  private func start(declaring declaration: Declaration, in folder: DeviceFolder) throws -> Program
  {
    if declaration != .present { history.startedOtherProgram() }
    return try Program(
      at: database, declaring: declaration, in: folder, on: disk, of: state, surroundings)
  }

  var database: URL { copy?.database ?? folder.database }

  func kill() throws { try program.kill(isOnly: !surroundings.settings.hasTwoPrograms) }

  /// Lets the transactions to come fail; nil lets them work again.
  func failStore(_ failure: StoreFailure?) { program.failStore(failure) }

  /// Starts again with what a kill or a loss of power left on the disk.
  func revive() throws {
    if disk == nil { try program.folder.restoreStaging() }
    try reopen(declaring: declaration)
  }

  /// Starts the app again.
  func reopen(declaring declaration: Declaration = .present) throws {
    program = try startWhateverFails {
      try start(declaring: declaration, in: program.disk === disk ? program.folder : folder)
    }
  }

  /// Starts a program; where the disk fails meanwhile, once more.
  private func startWhateverFails(_ start: () throws -> Program) throws -> Program {
    while true {
      if let disk, disk.isOff { try goOn(afterFailureOf: disk) }
      do {
        let started = try start()
        guard let disk, disk.isOff else { return started }
      } catch {
        guard let disk, disk.hasFailed else { throw error }
        disk.mend()
      }
    }
  }

  private func goOn(afterFailureOf disk: SimulatedDisk) throws {
    lives += 1
    let place = disk.folder.deletingLastPathComponent()
      .appending(path: "\(letter)\(lives)", directoryHint: .isDirectory)
    let next = try disk.afterPowerLoss(in: place)
    self.disk = next
    folder = try DeviceFolder(next.folder)
    other = nil
  }

  /// Starts the present version of each program.
  func update() throws {
    if declaration != .present { try reopen() }
    if let older = other, older.declaration != .present {
      other = try start(declaring: .present, in: older.folder)
    }
    program.takeOver()
  }

  func backUp() throws { backup = (try program.store.clone(), owner, declaration, history) }

  /// Goes on with the copy that a device kept; false if it kept none.
  func goBack(toBackupOf other: Device) throws -> Bool {
    guard let backup = other.backup, let copy = try backup.store.clone() as? SQLiteStore else {
      return false
    }
    if self.backup == nil {
      self.backup = (try copy.clone(), backup.owner, backup.declaration, backup.history)
    }
    // The clock is the device's, and not that of the backup.
    let hadWrongClock = history.hadWrongClock
    (owner, history) = (backup.owner, backup.history)
    if hadWrongClock { history.clockJumped() }
    self.copy = copy
    hasCreated = false
    do {
      try reopen(declaring: declaration)
    } catch let error as StoreError where error.code == .invalidSchema {
      // It cannot take the values along that are unsent in the copy.
      try reopen(declaring: backup.declaration)
    }
    self.other = nil
    return true
  }

  func setClock(daysAhead days: Int) {
    state.ahead = Int64(days) * 86_400_000
    if days > 0 { history.clockJumped() }
  }

  // MARK: Sessions

  /// The session of the app; nil where nobody is logged in.
  var session: (user: User, token: String)? { state.session }

  func logIn(_ user: User) { state.session = (user, surroundings.network.server.logIn(user)) }
  func logOut() { state.session = nil }
  func endSession() { session.map { surroundings.network.server.endSession($0.token) } }

  var standing: Standing {
    guard let owner else { return .fits }
    guard let session else { return .nobody }
    guard surroundings.network.server.isValid(session.token) else { return .ended }
    return session.user == owner ? .fits : .other
  }

  // MARK: Syncs

  /// The number of syncs that have begun.
  private(set) var syncCount = 0
  /// Whether the store knows from a create who chooses the ids.
  private(set) var hasCreated = false
  /// The requests of the present run.
  var requestCount: Int { program.network.requestCount }
  /// Those of them that followed after the server had refused the session.
  var requestsAfterRefusal: Int { program.network.requestsAfterRefusal }
  /// Those of them that write.
  var writeCount: Int { program.network.writeCount }
  /// All requests and answers of the present programs, each as one number.
  var traces: [Trace] { [program, other].compactMap(\.?.network.trace) }

  /// Runs a sync on this thread.
  ///
  /// - Parameters:
  ///   - selection: The stages.
  ///   - classes: The classes to ask for; nil for all.
  ///   - comparison: How much of each class to compare record by record.
  /// - Returns: The run, which has ended.
  func sync(
    _ selection: StageSelection, _ classes: Set<String>?, _ comparison: SyncComparison
  ) -> SyncRun {
    syncCount += 1
    let run = program.sync(selection, classes, comparison, confirming: guarded)
    if case .success(let report) = run.result {
      guarded = Set(report.guarded.map(\.confirmation))
    }
    if run.actions.contains(where: { $0.kind == .post }) { hasCreated = true }
    return run
  }

  /// Plans a sync for some classes; nil for all.
  func plan(_ comparison: SyncComparison, asking classes: Set<String>? = nil) -> SyncRun {
    program.plan(comparison, asking: classes, confirming: guarded)
  }

  /// The time of the device.
  var now: Timestamp { program.now }

  /// The changes that a sync could send now.
  func unsentWork() throws -> UnsentWork { try program.unsentWork() }

  /// Fetches the records of a query on this thread.
  func fetch(_ query: Query) throws -> (run: SyncRun, fetched: FetchedRecords?) {
    try program.fetch(query)
  }

  /// Evicts rows on this thread.
  func evict(_ records: [RecordReference]) -> (run: SyncRun, report: EvictionReport?) {
    program.evict(records)
  }
}
