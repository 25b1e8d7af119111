// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import FerryHTTP
import FerryModel
import FerryParse
import FerryStore
import FerryTestSupport
import Foundation
import LoopbackParse
import Synchronization
import Testing

@testable import FerryEngine
@testable import FerryPlanning

/// Runs single stages on a store and a server, without a coordinator.
final class StageBench: Sendable {
  enum Kind: String, CaseIterable, Sendable {
    case memory, sqlite
  }

  /// A kind of store and a kind of server.
  struct Place: Sendable, CustomTestStringConvertible {
    var store: Kind
    var server: TestServer.Kind

    /// Both stores with the double, and one store with the real server if it can be started.
    static let all =
      Kind.allCases.map { Place(store: $0, server: .double) }
      + TestServer.Kind.all.filter { $0 == .real }.map { Place(store: .sqlite, server: $0) }

    var testDescription: String { "a \(store) store, \(server.testDescription)" }
  }

  let server: TestServer
  /// The network between the device and the server.
  let network = TestNetwork()
  let store: any SyncStore
  let staging: URL
  let schema: Schema
  private let folder: TemporaryDirectory
  private let clock: Mutex<Timestamp>

  convenience init(
    _ kind: Kind = .memory, on server: TestServer.Kind = .double, schema: Schema = Sports.schema,
    _ options: TestServerOptions = TestServerOptions()
  ) throws {
    try self.init(kind, schema: schema, server: TestServer(server, options))
  }

  convenience init(
    _ place: Place, schema: Schema = Sports.schema,
    _ options: TestServerOptions = TestServerOptions()
  ) throws {
    try self.init(place.store, on: place.server, schema: schema, options)
  }

  /// A bench with options that only the double has.
  convenience init(_ kind: Kind = .memory, double: LoopbackConfiguration) throws {
    try self.init(kind, server: TestServer(double: LoopbackServer(double)))
  }

  /// A device that shares a server with others.
  convenience init(_ kind: Kind, schema: Schema = Sports.schema, server: TestServer) throws {
    try self.init(kind, in: TemporaryDirectory(), schema: schema, server: server)
  }

  /// A device on a folder that may hold an earlier device's data.
  init(
    _ kind: Kind = .sqlite, in folder: TemporaryDirectory, schema: Schema, server: TestServer
  ) throws {
    self.server = server
    self.folder = folder
    self.schema = schema
    staging = folder.url.appending(path: "staging")
    store =
      switch kind {
      case .memory: try InMemoryStore(schema: schema)
      case .sqlite: try SQLiteStore(at: folder.url.appending(path: "s.sqlite"), schema: schema)
      }
    clock = Mutex(.now)
  }

  /// The device's present time.
  var now: Timestamp { clock.withLock(\.self) }

  /// Moves the device's clock.
  func wait(_ duration: Duration) {
    clock.withLock { $0 = $0.adding(duration) }
  }

  /// Runs stages in their order and returns the report.
  @discardableResult
  func run(
    _ stages: [any Stage], of selection: StageSelection = .all,
    conflicts: ConflictPolicies = .remoteWins,
    options: SyncOptions = SyncOptions(), comparing comparison: SyncComparison = .rolling,
    confirming: Set<String> = [], isMaster: Bool = true, store: (any SyncStore)? = nil,
    cancellation: CancellationSignal = CancellationSignal()
  ) throws -> SyncReport {
    let ledger = RunLedger(classNames: schema.entities.map(\.name), actionLimit: 1_000)
    let environment = SyncEnvironment(
      now: { self.clock.withLock(\.self) },

      uptime: { Double(self.clock.withLock(\.self).milliseconds) / 1000 },
      random: SyncEnvironment.live.random)
    let context = StageContext(
      store: store ?? self.store, staging: try StagingArea(folder: staging),
      server: server.known(asMaster: isMaster),
      transport: MeteredTransport(inner: network, ledger: ledger),
      files: OutgoingFiles(in: FileFolder(url: folder.url.appending(path: "files"))),
      conflicts: conflicts, options: options,
      request: SyncRequest(
        selection: selection, comparison: comparison, confirmedRemovals: confirming),
      environment: environment,
      cancellation: cancellation, ledger: ledger, events: EventBroadcast())
    for stage in stages { try stage.run(in: context) }
    return ledger.report
  }

  /// Downloads, imports, and removes rows whose records are gone.
  @discardableResult
  func pull(
    conflicts: ConflictPolicies = .remoteWins, options: SyncOptions = SyncOptions(),
    comparing comparison: SyncComparison = .rolling, confirming: Set<String> = [],
    isMaster: Bool = true
  ) throws -> SyncReport {
    try run(
      [DownloadStage(), ImportStage(), DeleteMissingStage()], conflicts: conflicts,
      options: options, comparing: comparison, confirming: confirming, isMaster: isMaster)
  }

  /// A pull, and then all uploads.
  @discardableResult
  func sync(
    conflicts: ConflictPolicies = .remoteWins, confirming: Set<String> = []
  ) throws -> SyncReport {
    try run(
      [
        ResolveStage(), DownloadStage(), ImportStage(), DeleteMissingStage(), PostCreatedStage(),
        PutUpdatedStage(), DeleteDeletedStage(),
      ], conflicts: conflicts, confirming: confirming)
  }

  // MARK: Direct access to the server

  @discardableResult
  func create(_ className: String, _ fields: LoopbackValue) throws -> String {
    try server.create(className, fields)
  }

  func createGames(_ count: Int) throws -> [String] {
    try server.create("Game", (0..<count).map { ["title": .string("g\($0)"), "score": 0] })
  }

  func update(_ className: String, _ id: String, _ changes: LoopbackValue) throws {
    try server.update(className, id, changes)
  }

  func delete(_ className: String, _ ids: some Sequence<String>) throws {
    try server.delete(className, ids)
  }

  // MARK: The local rows

  func games() throws -> [String: Record] {
    let records = try store.read { try $0.records(of: "Game") }
    return Dictionary(uniqueKeysWithValues: records.map { ($0.objectID, $0) })
  }

  func game(_ id: String) throws -> Record? {
    try store.read { try $0.record(of: "Game", objectID: id) }
  }

  func edit(_ id: String, _ fields: Fields) throws {
    try store.write { db in
      guard let record = try db.record(of: "Game", objectID: id) else { return }
      try db.update(record.reference, fields)
    }
  }

  func pending() throws -> [OutboxEntry] { try store.syncRead { try $0.pendingEntries(of: nil) } }

  func conflicts() throws -> [ConflictRecord] { try store.read { try $0.conflicts() } }
}
