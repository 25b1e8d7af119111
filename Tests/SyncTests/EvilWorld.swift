// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import FerryPlanning
import FerryTestSupport
import Foundation
import LoopbackParse
import Testing

/// A device with everything to do that a sync can have, and a server that may misbehave.
///
/// The device has lost answers to look up, changes on both sides, rows that are gone on the server,
/// and creates, edits and deletes to send. It uses a session.
struct EvilWorld: Sendable {
  let server: EvilServer
  let transport: ImpatientTransport
  let device: Device
  /// The same device with the master key too, so that it first asks whether the server accepts the key.
  let masterDevice: Device
  private let games: [String]
  private let clock: ManualClock
  private let folder: TemporaryDirectory
  private let token: String

  /// Copies the prepared world.
  init() async throws {
    let prepared = try await PreparedEvilWorld.shared.value
    clock = ManualClock(prepared.date)
    server = try EvilServer(
      LoopbackBackend(PreparedEvilWorld.configuration(clock), restoring: prepared.snapshot))
    folder = try TemporaryDirectory()
    let place = folder.url.appending(path: "device")
    try FileManager.default.copyItem(at: prepared.folder.url, to: place)
    transport = ImpatientTransport(port: server.port)
    device = try PreparedEvilWorld.device(
      at: place, token: prepared.token, clock: clock, transport: transport)
    masterDevice = try PreparedEvilWorld.device(
      at: place, token: prepared.token, clock: clock, transport: transport, asMaster: true)
    games = prepared.games
    token = prepared.token
  }

  /// Syncs once, whatever the server does.
  func sync(asMaster isMaster: Bool = false) async -> Result<SyncReport, SyncError> {
    do {
      return .success(try await (isMaster ? masterDevice : device).coordinator.startSync().report)
    } catch {
      return .failure(error)
    }
  }

  /// The device still has each row that the server and the device have kept.
  func expectNothingRemoved(_ comment: Comment) throws {
    let ids = Set(try device.store.read { try $0.records(of: "Game") }.map(\.objectID))
    let kept = [0, 1, 3, 4, 7, 8, 9, 10, 11].map { games[$0] }
    #expect(kept.filter { !ids.contains($0) } == [], comment)
  }

  /// Lets the server behave, changes rows of the server, and syncs until both sides agree.
  func expectConvergence(_ comment: Comment) async throws {
    server.play(nil)
    try server.withBackend { backend throws(LoopbackError) in
      for place in 7...11 {
        try backend.update("Game", games[place], ["score": .number(Double(70 + place))])
      }
      try backend.create("Game", ["title": "late"])
    }
    // The app starts again, because answers that nobody asked for may still be on a kept connection.
    let device = try PreparedEvilWorld.device(
      at: folder.url.appending(path: "device"), token: token, clock: clock,
      transport: ImpatientTransport(port: server.port))
    var confirmations: Set<String> = []
    for _ in 0..<3 {
      clock.advance(seconds: 300)
      let report = try await device.sync(confirming: confirmations)
      confirmations = Set(report.guarded.map(\.confirmation))
    }
    #expect(try device.pending().isEmpty, comment)
    #expect(server.backend.violations.isEmpty, comment)
    let backend = server.backend
    let titles = backend.objects(of: "Game").map { $0["title"]?.string ?? "" }.sorted()
    #expect(titles == Self.titles, comment)
    let scores = games.map { backend.object("Game", $0)?["score"]?.number }
    #expect(scores == Self.scores, comment)
    for entity in Sports.schema.entities {
      let here = try await device.store.read { try $0.records(of: entity.name) }
      let rows = backend.objects(of: entity.name).compactMap(\.object)
      let there = Dictionary(
        rows.map { ($0["objectId"]?.string ?? "", $0) }, uniquingKeysWith: { first, _ in first })
      let differences = Comparison(entity: entity).differences(here: here, there: there)
      #expect(differences == [], comment)
    }
  }

  private static let titles = [
    "fresh", "g0", "g1", "g10", "g11", "g3", "g4", "g7", "g8", "g9", "late", "n0", "n1", "n2",
    "unknown",
  ]
  private static let scores: [Double?] = [1, 2, nil, 30, 4, nil, nil, 77, 78, 79, 80, 81]
}
