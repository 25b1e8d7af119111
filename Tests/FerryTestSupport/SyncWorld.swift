// Ferry: offline-first sync for Parse Server. MIT licence.

public import Ferry
package import FerryStore
public import Foundation
public import LoopbackParse

/// The small schema that tests and examples share: leagues, and games that belong to them.
public enum Sports {
  /// Leagues and games.
  public static let schema = Schema {
    Entity("League") {
      Field("name", .text)
      Field("level", .integer)
    }
    Entity("Game") {
      Field("title", .text)
      Field("score", .integer)
      Field("playedAt", .date)
      Field("league", .pointer(to: "League"))
      Field("previous", .pointer(to: "Game"))
      Field("tags", .array)
    }
  }
}

/// A server, and devices that sync with it over real sockets; gone at the end of the test.
public final class SyncWorld: Sendable {
  /// The server.
  public let server: LoopbackServer
  private let folder: TemporaryDirectory

  /// Starts a server.
  public init(_ configuration: LoopbackConfiguration = LoopbackConfiguration()) throws {
    server = try LoopbackServer(configuration)
    folder = try TemporaryDirectory()
  }

  /// A device of that name: its own store and staging folder.
  public func device(
    _ name: String = "a", schema: Schema = Sports.schema,
    conflicts: ConflictPolicies = .remoteWins, options: SyncOptions = SyncOptions(),
    environment: SyncEnvironment = .live
  ) throws -> Device {
    try Device(
      folder: folder.url.appending(path: name), address: server.url, schema: schema,
      conflicts: conflicts, options: options, environment: environment)
  }

  /// The server's rows of a class as plain values, by object id.
  public func rows(of className: String) -> [String: LoopbackValue] {
    let objects = server.backend.objects(of: className)
    return Dictionary(
      objects.map { ($0["objectId"]?.string ?? "", $0) }, uniquingKeysWith: { first, _ in first })
  }
}

/// One store with its coordinator.
public final class Device: Sendable {
  /// Its rows.
  public let store: SQLiteStore
  /// What syncs them.
  public let coordinator: SyncCoordinator
  /// Where the server's answers are staged.
  public let staging: URL

  /// Opens the store in a folder, to be synced with the server at an address.
  public convenience init(
    folder: URL, address: String, schema: Schema, conflicts: ConflictPolicies = .remoteWins,
    options: SyncOptions = SyncOptions(), environment: SyncEnvironment = .live
  ) throws {
    guard let url = URL(string: address) else { throw URLError(.badURL) }
    self.init(
      store: try SQLiteStore(at: folder.appending(path: "store.sqlite"), schema: schema),
      staging: folder.appending(path: "staging"),
      server: ParseServer(url: url, applicationID: "app1", keys: [.master("mk")]),
      conflicts: conflicts, options: options, environment: environment)
  }

  /// Syncs a store that is open already, perhaps with another device's.
  public init(
    store: SQLiteStore, staging: URL, server: ParseServer,
    conflicts: ConflictPolicies = .remoteWins, options: SyncOptions = SyncOptions(),
    transport: any HTTPTransport = CurlTransport(), environment: SyncEnvironment = .live
  ) {
    self.store = store
    self.staging = staging
    coordinator = SyncCoordinator(
      store: store, server: server, staging: staging, conflicts: conflicts, options: options,
      transport: transport, environment: environment)
  }

  /// Syncs and waits for the end.
  @discardableResult
  public func sync(_ selection: StageSelection = .all) async throws -> SyncReport {
    try await coordinator.startSync(selection).report
  }

  /// The unsent changes, folded in memory.
  package func pending() throws -> [OutboxEntry] {
    try store.syncRead { try $0.pendingEntries(of: nil) }
  }
}

/// A folder that goes with the value that made it.
public final class TemporaryDirectory: Sendable {
  /// Where it is.
  public let url: URL

  /// Makes a folder of a name that is not taken.
  public init() throws {
    url = FileManager.default.temporaryDirectory.appending(path: "ferry-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }
}
