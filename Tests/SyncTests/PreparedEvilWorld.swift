// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import FerryTestSupport
import Foundation
import LoopbackParse

/// The data of a server and a device before the server misbehaves, made once and copied often.
struct PreparedEvilWorld: Sendable {
  let folder: TemporaryDirectory
  let snapshot: LoopbackValue
  let token: String
  let games: [String]
  let date: Date

  static let shared = Task { try await PreparedEvilWorld() }

  /// The address by which the store knows its server; `ImpatientTransport` leads elsewhere.
  private static let address = "http://127.0.0.1:1/parse"

  private init() async throws {
    let clock = ManualClock()
    let folder = try TemporaryDirectory()
    let server = try EvilServer(LoopbackBackend(Self.configuration(clock)))
    let token = server.withBackend { backend in
      let answer = backend.answer(
        LoopbackRequest(
          "POST", "/parse/users", headers: ["X-Parse-Application-Id": "app1"],
          json: ["username": "ann", "password": "secret"]))
      return answer.json?["sessionToken"]?.string ?? ""
    }
    let games = try server.withBackend { backend throws(LoopbackError) in
      for number in 0..<3 { try backend.create("League", ["name": .string("l\(number)")]) }
      var games: [String] = []
      for number in 0..<12 {
        games.append(try backend.create("Game", ["title": .string("g\(number)")]))
      }
      return games
    }
    let device = try Self.device(
      at: folder.url, token: token, clock: clock, transport: ImpatientTransport(port: server.port))
    try await device.sync()
    clock.advance(seconds: 300)
    try Self.edit(device, games[0], ["score": 1])
    server.play(.lostAnswers)
    _ = try? await device.sync()
    server.play(nil)
    // It is looked up now, and once more when no late attempt can change it any more.
    _ = try await device.sync()
    clock.advance(seconds: 300)
    try await device.store.write { db in _ = try db.insert("Game", ["title": "unknown"]) }
    server.play(.lostAnswers)
    _ = try? await device.sync()
    clock.advance(seconds: 300)
    try server.withBackend { backend throws(LoopbackError) in
      try backend.update("Game", games[1], ["score": 2])
      try backend.delete("Game", games[2])
      try backend.update("Game", games[3], ["score": 30])
      try backend.update("Game", games[4], ["playedAt": .date("2026-05-01T10:00:00.000Z")])
      try backend.create("Game", ["title": "fresh"])
    }
    try Self.edit(device, games[3], ["score": 3])
    try Self.edit(device, games[4], ["score": 4])
    try await device.store.write { db in
      for id in games[5...6] {
        if let row = try db.record(of: "Game", objectID: id) { try db.delete(row.reference) }
      }
      let league = try db.insert("League", ["name": "new"])
      for number in 0..<3 {
        try db.insert("Game", ["title": .string("n\(number)"), "league": .pointer(league)])
      }
    }
    self.folder = folder
    self.token = token
    self.games = games
    snapshot = server.backend.snapshot()
    date = clock.now
  }

  static func configuration(_ clock: ManualClock) -> LoopbackConfiguration {
    var configuration = LoopbackConfiguration()
    configuration.now = { clock.now }
    return configuration
  }

  static func device(
    at place: URL, token: String, clock: ManualClock, transport: ImpatientTransport,
    asMaster isMaster: Bool = false
  ) throws -> Device {
    Device(
      store: try SQLiteStore(at: place.appending(path: "store.sqlite"), schema: Sports.schema),
      staging: place.appending(path: "staging"),
      server: try parseServer(token: token, asMaster: isMaster),
      transport: transport, environment: clock.environment)
  }

  /// The server as a device knows it; it ignores the session of a request with the master key.
  static func parseServer(token: String, asMaster isMaster: Bool) throws -> ParseServer {
    guard let url = URL(string: address) else { throw URLError(.badURL) }
    return ParseServer(url: url, applicationID: "app1", keys: isMaster ? [.master("mk")] : []) {
      Secret(token)
    }
  }

  private static func edit(_ device: Device, _ id: String, _ fields: Fields) throws {
    try device.store.write { db in
      guard let row = try db.record(of: "Game", objectID: id) else { return }
      try db.update(row.reference, fields)
    }
  }
}
