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
    var schema: Schema
    var clock: SimulatedClock
    var network: SimulatedNetwork.Surroundings
    var identities: Identities
    var bug: SeededBug?
    /// Called after each commit by the engine, with what it wrote.
    var committed: (StoreNotes) -> Void
  }

  let number: Int
  var letter: String { Writer.letter(of: number) }
  /// The files; after a loss of power they are in another folder.
  private var folder: DeviceFolder
  /// The simulated disk with the files; nil where the device ends between commits alone.
  private(set) var disk: SimulatedDisk?
  private let surroundings: Surroundings
  /// The store behind all that stands in front of it.
  private var stored: any SyncStore
  private var life: Life?
  private(set) var isKilled = false
  /// Whether an older program runs, which does not declare the field `note`.
  private(set) var isOlder = false
  /// The milliseconds by which the device's clock is ahead.
  private var ahead: Int64 = 0
  /// When the present run began, by the device's clock.
  private var runBegan = Timestamp.earliest
  /// How often the power came back.
  private var lives = 0
  private var backup: (store: any SyncStore, owner: User?)?
  /// The copy of a backup to which the device went back; its file is the device's from then on.
  private var copy: SQLiteStore?
  /// The session of the app; nil where nobody is logged in.
  private(set) var session: (user: User, token: String)?
  /// The user whose data the store holds; nil for nobody.
  private(set) var owner: User?
  /// The removals that the last sync held back.
  private(set) var guarded: Set<String> = []

  init(_ number: Int, in folder: URL, _ surroundings: Surroundings) throws {
    self.number = number
    let place = folder.appending(path: Writer.letter(of: number))
    if surroundings.settings.hasSimulatedDisks { disk = try SimulatedDisk(folder: place) }
    self.folder = try DeviceFolder(disk?.folder ?? place)
    self.surroundings = surroundings
    owner = surroundings.settings.owner(of: number)
    stored = try Self.store(at: self.folder.database, surroundings, surroundings.schema)
    live(on: stored)
  }

  private static func store(
    at database: URL, _ surroundings: Surroundings, _ schema: Schema
  ) throws -> any SyncStore {
    let clock = surroundings.clock
    return try SQLiteStore(
      at: database, schema: schema, generator: clock.generator,
      now: { Timestamp(milliseconds: clock.milliseconds) })
  }

  // MARK: Lives

  /// The parts that last from one start of the app to the next.
  private struct Life {
    let store: ObservedStore
    let network: SimulatedNetwork
    let coordinator: SyncCoordinator
  }

  private func live(on inner: any SyncStore) {
    stored = inner
    let environment = surroundings.clock.environment { [unowned self] in ahead }
    let bug = surroundings.bug
    let store = ObservedStore(
      inner,
      mistake: { [unowned self] in bug.map { Mistake(bug: $0, runBegan: runBegan) } },
      committed: surroundings.committed)
    let network = SimulatedNetwork(surroundings.network, now: environment.now)
    let settings = surroundings.settings
    let coordinator = SyncCoordinator(
      store: store,
      server: ParseServer(
        url: surroundings.network.server.url, applicationID: "app1",
        sessionToken: { [unowned self] in session.map { Secret($0.token) } }),
      staging: folder.staging, files: disk.map(StagingFiles.init(on:)) ?? StagingFiles(),
      conflicts: surroundings.schema.entities.reduce(ConflictPolicies(settings.conflicts)) {
        $0.deletions(in: $1.name, settings.deletions)
      }, options: settings.sync, transport: network, environment: environment)
    life = Life(store: store, network: network, coordinator: coordinator)
    isKilled = false
    disk?.lostPower = { [unowned self] in end() }
  }

  private func end() {
    isKilled = true
    life?.store.kill()
    life?.network.kill()
  }

  /// Ends the process: from now on nothing is written or sent.
  func kill() throws {
    guard !isKilled else { return }
    end()
    if let disk { disk.turnOff() } else { try folder.keepStaging() }
  }

  /// Lets the transactions to come fail; nil lets them work again.
  func failStore(_ failure: StoreFailure?) { life?.store.fail(failure) }

  /// Starts again with what a kill or a loss of power left on the disk.
  func revive() throws {
    if disk == nil { try folder.restoreStaging() }
    try reopen(asOlder: isOlder)
  }

  /// Starts the app again; where its disk fails meanwhile, once more.
  func reopen(asOlder isOlder: Bool = false) throws {
    self.isOlder = isOlder
    while true {
      if let disk, disk.isOff { try goOn(afterFailureOf: disk) }
      do {
        live(on: try Self.store(at: database, surroundings, schema))
        guard let disk, disk.isOff else { return }
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
  }

  var database: URL { copy?.database ?? folder.database }

  /// The classes that the present program declares.
  private var schema: Schema {
    guard isOlder else { return surroundings.schema }
    return Schema(
      surroundings.schema.entities.map { entity in
        var entity = entity
        entity.fields.removeAll { $0.name == WorldClass.Name.note }
        return entity
      })
  }

  func backUp() throws { backup = (try stored.clone(), owner) }

  /// Goes on with the copy that a device kept; false if it kept none.
  func goBack(toBackupOf other: Device) throws -> Bool {
    guard let backup = other.backup, let copy = try backup.store.clone() as? SQLiteStore else {
      return false
    }
    if self.backup == nil { self.backup = (try copy.clone(), backup.owner) }
    owner = backup.owner
    self.copy = copy
    hasCreated = false
    try reopen(asOlder: isOlder)
    return true
  }

  func setClock(daysAhead days: Int) { ahead = Int64(days) * 86_400_000 }

  // MARK: Sessions

  func logIn(_ user: User) { session = (user, surroundings.network.server.logIn(user)) }
  func logOut() { session = nil }
  func endSession() { session.map { surroundings.network.server.endSession($0.token) } }

  var standing: Standing {
    guard let owner else { return .fits }
    guard let session else { return .nobody }
    guard surroundings.network.server.isValid(session.token) else { return .ended }
    return session.user == owner ? .fits : .other
  }

  // MARK: Syncs

  /// Whether the store knows from a create who chooses the ids.
  private(set) var hasCreated = false
  /// The requests of the present run.
  var requestCount: Int { life?.network.requestCount ?? 0 }
  /// Those of them that followed after the server had refused the session.
  var requestsAfterRefusal: Int { life?.network.requestsAfterRefusal ?? 0 }
  /// Those of them that write.
  var writeCount: Int { life?.network.writeCount ?? 0 }
  /// All requests and answers of the present life, as one number.
  var trace: Trace { life?.network.trace ?? Trace() }

  /// Runs a sync on this thread; nil for a device without life.
  func sync(_ selection: StageSelection, _ comparison: SyncComparison) -> SyncRun? {
    begin()
    let run = life?.coordinator.syncInLine(selection, comparing: comparison, confirming: guarded)
    if case .success(let report) = run?.result {
      guarded = Set(report.guarded.map(\.confirmation))
    }
    if run?.actions.contains(where: { $0.kind == .post }) == true { hasCreated = true }
    return run
  }

  func plan(_ comparison: SyncComparison) -> SyncRun? {
    begin()
    return life?.coordinator.planInLine(comparing: comparison, confirming: guarded)
  }

  private func begin() {
    runBegan = Timestamp(milliseconds: surroundings.clock.milliseconds + ahead)
    life?.network.beginRun()
  }

  // MARK: Rows

  /// Carries an edit of the app out; false if the row is not there.
  func make(_ edit: Edit) throws -> Bool {
    guard !isOlder || !edit.fields.contains(WorldClass.Name.note) else { return false }
    return try stored.write { db in
      switch edit {
      case .insert(let row, let className, let fields):
        guard let values = try self.values(fields, db) else { return false }
        let reference = try db.insert(className, Fields(values))
        self.surroundings.identities.learn(row, className, reference.objectID)
      case .set(let row, let fields):
        guard let record = try self.record(row, db), let values = try self.values(fields, db)
        else { return false }
        try db.update(record.reference, Fields(values))
      case .delete(let row):
        guard let record = try self.record(row, db) else { return false }
        try db.delete(record.reference)
      case .allow: return false
      }
      return true
    }
  }

  /// The values of a row, as the app sees them; empty if it is not there.
  func values(of row: String) throws -> [String: Content] {
    try withoutFailures {
      try stored.read { db in
        try self.record(row, db)?.fields.values
          .mapValues { Content($0, name: self.surroundings.identities.name) } ?? [:]
      }
    }
  }

  /// The simulator's look at the store is no work of the device.
  private func withoutFailures<Result>(_ body: () throws -> Result) throws -> Result {
    if let disk { try disk.withoutFailures(body) } else { try body() }
  }

  private func record(_ name: String, _ db: any StoreReader) throws -> Record? {
    for entity in surroundings.schema.entities {
      let found = try db.records(
        of: entity.name, where: .field(WorldClass.Name.title, .equal, .string(name)), limit: 1)
      if let record = found.first { return record }
    }
    return nil
  }

  private func values(
    _ fields: [String: Content], _ db: any StoreReader
  ) throws -> [String: Value]? {
    var values: [String: Value] = [:]
    for (field, content) in fields {
      let target: Record? =
        if case .row(let name) = content { try record(name, db) } else { nil }
      guard
        let value = content.value(pointer: { _ in
          target.map { Pointer(className: $0.className, objectID: $0.objectID) }
        })
      else { return nil }
      values[field] = value
    }
    return values
  }

  /// The rows of the device, its unsent changes, and the values it lost.
  func view() throws -> DeviceView { try withoutFailures { try look() } }

  private func look() throws -> DeviceView {
    let identities = surroundings.identities
    return try stored.syncRead { db throws(StoreError) in
      var rows: [DeviceView.Row] = []
      for entity in self.surroundings.schema.entities {
        for record in try db.records(of: entity.name) {
          guard case .string(let name) = record[WorldClass.Name.title] else { continue }
          identities.learn(name, entity.name, record.objectID)
          rows.append(
            DeviceView.Row(
              name: name, className: entity.name, localID: record.localID,
              fields: record.fields.values.mapValues { Content($0, name: identities.name) }))
        }
      }
      var lost: Set<DeviceView.Lost> = []
      var lostWithRow: Set<DeviceView.Lost> = []
      for conflict in try db.conflicts() {
        let name = identities.name(
          Pointer(className: conflict.record.className, objectID: conflict.record.objectID))
        for (field, value) in conflict.lost.values {
          let value = DeviceView.Lost(
            row: name, field: field, content: Content(value, name: identities.name))
          if conflict.reason == .deletedRemotely {
            lostWithRow.insert(value)
          } else {
            lost.insert(value)
          }
        }
        guard conflict.isWholeRecord else { continue }
        // A field without a value is not in it.
        let fields = self.surroundings.schema.entity(conflict.record.className)?.fields ?? []
        for field in fields where conflict.lost[field.name] == nil {
          let value = DeviceView.Lost(row: name, field: field.name, content: .empty)
          if conflict.reason == .deletedRemotely {
            lostWithRow.insert(value)
          } else {
            lost.insert(value)
          }
        }
      }
      return DeviceView(
        number: self.number, device: self.letter, owner: self.owner, isOlder: self.isOlder,
        rows: rows,
        pending: try db.pendingEntries(of: nil), lost: lost,
        lostWithRow: lostWithRow,
        quarantined: try db.quarantine(of: nil).map {
          identities.name(Pointer(className: $0.className, objectID: $0.objectID))
        })
    }
  }
}
