// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import FerryHTTP
import FerryTestSupport
import Foundation
import LoopbackParse
import Testing

/// A real server with rows, and devices that sync with it.
struct RealWorld {
  /// How a server may differ from another in what a sync has to cope with.
  struct Variant: Sendable, CustomTestStringConvertible {
    var allowsCustomIDs = true
    /// The locale that sorts its text; nil for the order of code points.
    var collation: String?
    /// The most rows of an answer; nil for no limit.
    var mostRows: Int?
    /// JavaScript that the server runs.
    var cloudCode: String?

    var testDescription: String {
      let ids = allowsCustomIDs ? "ids made here" : "ids made by the server"
      let rows = mostRows.map { "\($0) rows at most" } ?? "any number of rows"
      return "\(ids), sorted by \(collation ?? "code points"), \(rows)"
    }

    var options: RealServer.Options {
      var settings: [String: LoopbackValue] = [
        "allowCustomObjectId": .bool(allowsCustomIDs), "maintenanceKey": "maintenance",
      ]
      if let mostRows { settings["maxLimit"] = .number(Double(mostRows)) }
      return RealServer.Options(
        settings: settings, collation: collation, cloudCode: cloudCode)
    }
  }

  let url: URL
  /// What is done behind Ferry's back.
  let access: RealServerAccess
  private let folder: TemporaryDirectory

  /// Runs a server with the classes declared.
  static func with(
    _ variant: Variant = Variant(), _ body: (RealWorld) async throws -> Void
  ) async throws {
    try await RealServer.running(variant.options) { server in
      let world = RealWorld(
        url: server.url, access: RealServerAccess(server), folder: try TemporaryDirectory())
      for (name, fields) in RealSchema.onServer {
        try await world.access.createClass(name, fields)
      }
      try await body(world)
    }
  }

  /// Puts rows on the server that point to one another.
  func seed(leagues: Int, teams: Int, games: Int) async throws {
    var seeds = SeedRows()
    let leagueIDs = try await access.create("League", (0..<leagues).map { seeds.league($0) })
    let teamIDs = try await access.create(
      "Team", (0..<teams).map { seeds.team($0, leagues: leagueIDs) })
    _ = try await access.create("Game", (0..<games).map { seeds.game($0, teams: teamIDs) })
  }

  var server: ParseServer { ParseServer(url: url, applicationID: "app1", key: .master("mk")) }

  /// A device of that name: its own store and staging folder.
  func device(
    _ name: String = "a", server: ParseServer? = nil, conflicts: ConflictPolicies = .remoteWins,
    options: SyncOptions = SyncOptions(), transport: any HTTPTransport = CurlTransport()
  ) throws -> Device {
    let place = folder.url.appending(path: name)
    return Device(
      store: try SQLiteStore(at: place.appending(path: "store.sqlite"), schema: RealSchema.schema),
      staging: place.appending(path: "staging"), server: server ?? self.server,
      conflicts: conflicts, options: options, transport: transport)
  }

  /// The same device with other options.
  func device(_ device: Device, options: SyncOptions) -> Device {
    Device(store: device.store, staging: device.staging, server: server, options: options)
  }

  /// All rows of the server, by class and id.
  func rows() async throws -> [String: [String: RealServerAccess.Row]] {
    var rows: [String: [String: RealServerAccess.Row]] = [:]
    for name in RealSchema.classNames { rows[name] = try await access.rows(of: name) }
    return rows
  }

  /// Syncs until nothing is left undone, and once more for what only the next listing brings; then
  /// compares both sides.
  func settle(
    _ device: Device, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    var report = try await device.sync()
    for _ in 0..<5 where report.outcome == .partial { report = try await device.sync() }
    report = try await device.sync()
    #expect(
      report.outcome == .complete, "\(device.leftovers(report))", sourceLocation: sourceLocation)
    try await expectEqual(device, sourceLocation: sourceLocation)
  }

  /// Compares every field of every row of both sides.
  func expectEqual(
    _ device: Device, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    for entity in RealSchema.schema.entities {
      let there = try await access.rows(of: entity.name)
      let here = try device.store.read { try $0.records(of: entity.name) }
      let differences = Comparison(entity: entity).differences(here: here, there: there)
      #expect(differences.prefix(5) == [], sourceLocation: sourceLocation)
    }
    #expect(
      try device.pending().filter { $0.state != .confirming } == [], sourceLocation: sourceLocation)
  }
}

extension Device {
  /// The row whose name or title is that.
  func record(_ className: String, _ name: String) throws -> Record {
    let field = className == "Game" ? "title" : "name"
    let found = try store.read {
      try $0.records(of: className, where: .field(field, .equal, .string(name)))
    }
    return try #require(found.first, "\(className) \(name)")
  }

  /// What a sync left undone, and why: to be read when a test fails.
  func leftovers(_ report: SyncReport) -> String {
    let waiting = ((try? pending()) ?? []).map { entry in
      "\(entry.kind) \(entry.className) \(entry.localID): \(entry.state.reason ?? "\(entry.state)")"
    }
    return (report.notices.map(\.message) + waiting).joined(separator: "\n")
  }

  /// Edits the row whose name or title is that.
  func edit(_ className: String, _ name: String, _ fields: Fields) throws {
    let row = try record(className, name)
    try store.write { try $0.update(row.reference, fields) }
  }
}
