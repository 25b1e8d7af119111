// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import FerryPlanning
import FerryTestSupport
import LoopbackParse
import Testing

/// A server with leagues, teams and games, and devices that sync with it.
struct StoryWorld: Sendable {
  let server: TestServer
  let network: TestNetwork
  private let world: SyncWorld
  private let variant: ServerVariant

  /// Starts a server with the classes declared.
  init(_ kind: TestServer.Kind, _ variant: ServerVariant = ServerVariant()) throws {
    world = try SyncWorld(kind, variant.options)
    server = world.server
    network = world.network
    self.variant = variant
    for (name, fields) in StorySchema.onServer {
      try server.declare(name, fields.merging(variant.declarations[name] ?? [:]) { $1 })
    }
    for (name, permissions) in variant.permissions {
      try server.setPermissions(of: name, permissions)
    }
  }

  /// Creates rows on the server that point to one another.
  func seed(leagues: Int, teams: Int, games: Int) throws {
    var seeds = SeedRows()
    let leagueIDs = try put("League", (0..<leagues).map { seeds.league($0) })
    let teamIDs = try put(
      "Team", (0..<teams).map { seeds.team($0, leagues: leagueIDs) })
    _ = try put("Game", (0..<games).map { seeds.game($0, teams: teamIDs) })
  }

  private func put(_ className: String, _ rows: [TestServer.Row]) throws -> [String] {
    // Setting dates needs a key to which a rate limit also applies.
    guard variant.options.rateLimit != nil else { return try server.load(className, rows) }
    let dates: Set = ["createdAt", "updatedAt"]
    return try server.create(className, rows.map { $0.filter { !dates.contains($0.key) } })
  }

  /// The device of that name; a second call returns the same device, perhaps with other options.
  func device(
    _ name: String = "a", as identity: ParseServer? = nil,
    conflicts: ConflictPolicies = .remoteWins, options: SyncOptions = SyncOptions(),
    environment: SyncEnvironment = .live
  ) throws -> Device {
    try world.device(
      name, schema: StorySchema.schema, as: identity ?? server.known(asMaster: variant.isMaster),
      conflicts: conflicts, options: options, environment: environment)
  }

  /// All rows of the server, by class and id.
  func rows() throws -> [String: [String: TestServer.Row]] {
    var rows: [String: [String: TestServer.Row]] = [:]
    for name in StorySchema.classNames { rows[name] = try server.rows(of: name) }
    return rows
  }

  /// Syncs until nothing is left undone, and once more for what only the next listing returns.
  ///
  /// Then compares both sides.
  func resolve(
    _ device: Device, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    var report = try await device.sync()
    for _ in 0..<5 where report.outcome == .partial { report = try await device.sync() }
    report = try await device.sync()
    #expect(
      report.outcome == .complete, "\(device.leftovers(report))", sourceLocation: sourceLocation)
    try expectEqual(device, sourceLocation: sourceLocation)
  }

  /// Compares every field of every row of both sides.
  func expectEqual(
    _ device: Device, classes: [String] = StorySchema.classNames,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    for entity in StorySchema.schema.entities where classes.contains(entity.name) {
      let there = try server.rows(of: entity.name)
      let here = try device.store.read { try $0.records(of: entity.name) }
      let differences = Comparison(entity: entity).differences(here: here, there: there)
      #expect(differences.prefix(5) == [], sourceLocation: sourceLocation)
    }
    #expect(
      try device.pending().filter { $0.state != .confirming } == [], sourceLocation: sourceLocation)
  }
}

extension Device {
  /// The row with that name or title.
  func record(
    _ className: String, _ name: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> Record {
    let field = className == "Game" ? "title" : "name"
    let found = try store.read {
      try $0.records(of: className, where: .field(field, .equal, .string(name)))
    }
    return try #require(found.first, "\(className) \(name)", sourceLocation: sourceLocation)
  }

  /// The work that a sync left undone, with reasons, for reading when a test fails.
  func leftovers(_ report: SyncReport) -> String {
    let waiting = ((try? pending()) ?? []).map { entry in
      "\(entry.kind) \(entry.className) \(entry.localID): \(entry.state.reason ?? "\(entry.state)")"
    }
    return (report.notices.map(\.message) + waiting).joined(separator: "\n")
  }

  /// Edits the row with that name or title.
  func edit(_ className: String, _ name: String, _ fields: Fields) throws {
    let row = try record(className, name)
    try store.write { try $0.update(row.reference, fields) }
  }

  /// Deletes the row with that name or title.
  func delete(_ className: String, _ name: String) throws {
    let row = try record(className, name)
    try store.write { try $0.delete(row.reference) }
  }
}
