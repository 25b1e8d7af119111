// Ferry: offline-first sync for Parse Server. MIT licence.

public import Ferry
package import FerryPlanning
import FerryStore
public import Foundation

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
package final class SyncWorld: Sendable {
  /// The server.
  package let server: TestServer
  /// The network between it and all devices.
  package let network = TestNetwork()
  private let folder: TemporaryDirectory

  /// Starts a server.
  package convenience init(
    _ kind: TestServer.Kind = .double, _ options: TestServerOptions = .init()
  ) throws {
    try self.init(TestServer(kind, options))
  }

  /// A world around a server.
  package init(_ server: TestServer) throws {
    self.server = server
    folder = try TemporaryDirectory()
  }

  /// A device of that name: its own store and staging folder.
  ///
  /// Asked for again, it is the same device, perhaps with other options.
  package func device(
    _ name: String = "a", schema: Schema = Sports.schema, as identity: ParseServer? = nil,
    conflicts: ConflictPolicies = .remoteWins, options: SyncOptions = SyncOptions(),
    environment: SyncEnvironment = .live
  ) throws -> Device {
    let place = folder.url.appending(path: name)
    return Device(
      store: try SQLiteStore(at: place.appending(path: "store.sqlite"), schema: schema),
      staging: place.appending(path: "staging"), server: identity ?? server.known(),
      conflicts: conflicts, options: options, transport: network, environment: environment)
  }
}

/// One store with its coordinator.
public final class Device: Sendable {
  /// Its rows.
  public let store: SQLiteStore
  /// The coordinator that syncs them.
  public let coordinator: SyncCoordinator
  /// Where the server's answers are staged.
  public let staging: URL

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
  public func sync(
    _ selection: StageSelection = .all, confirming: Set<String> = []
  ) async throws -> SyncReport {
    try await coordinator.startSync(selection, confirming: confirming).report
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
