// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import FerryHTTP
import FerryPlanning
import FerryTestSupport
import LoopbackParse
import Testing

extension SyncTests {
  /// Writes are lost on the way, or their answers are: no record appears twice.
  @Test(arguments: TestServer.Kind.all, [true, false])
  func `a lost answer lets nothing be done twice`(on kind: TestServer.Kind, allowsCustomIDs: Bool)
    async throws
  {
    let world = try LeagueWorld(kind, allowsCustomIDs ? ServerVariant() : .serversIDs)
    let clock = ManualClock()
    let device = try world.device(environment: clock.environment)
    // The first create alone finds out who chooses the ids.
    try await device.store.write { _ = try $0.insert("Game", ["title": "known"]) }
    _ = try await device.sync()

    for loss in [TestNetwork.Fault.answerLost, .requestLost] {
      let name = if case .answerLost = loss { "answer" } else { "request" }
      let answer = LostAnswer(world: world, device: device, clock: clock, loss: loss, name: name)
      try await answer.creates()
      try await answer.edits()
      try await answer.deletes()
    }
  }

  /// The server stores a geo point beyond the pole, and yet answers every write of its row with an
  /// internal error.
  @Test(arguments: TestServer.Kind.all, [true, false])
  func `a write that was done in spite of an error is not done again`(
    on kind: TestServer.Kind, allowsCustomIDs: Bool
  ) async throws {
    let world = try LeagueWorld(kind, allowsCustomIDs ? ServerVariant() : .serversIDs)
    let device = try world.device()
    let nowhere = Value.geoPoint(GeoPoint(latitude: 91, longitude: 0))
    try await device.store.write { db in
      let team = try db.insert("Team", ["name": "nowhere", "home": nowhere])
      for number in 0..<3 {
        try db.insert(
          "Game", ["title": .string("\(number)"), "place": nowhere, "home": .pointer(team)])
      }
    }
    try await world.resolve(device)
    try device.edit("Game", "1", ["score": 5])
    try await world.resolve(device)
    #expect(try world.rows().mapValues(\.count) == ["League": 0, "Team": 1, "Game": 3])
  }
}

/// Creates, edits and deletes on a network that loses them or their answers.
private struct LostAnswer {
  let world: LeagueWorld
  let device: Device
  let clock: ManualClock
  let loss: TestNetwork.Fault
  let name: String

  func creates() async throws {
    let before = try world.rows().mapValues(\.count)
    let team = try await device.store.write { db in
      let league = try db.insert("League", ["name": .string(name)])
      return try db.insert("Team", ["name": .string(name), "league": .pointer(league)])
    }
    // Only the league is lost, and the rows that point to it have to wait.
    try await syncLosing(.post)
    try await settled()
    try await device.store.write { db in
      let team = try db.record(of: "Team", localID: team.localID)
      for number in 0..<70 {
        try db.insert(
          "Game",
          [
            "title": .string("\(name) \(number)"),
            "home": team.map { .pointer($0.reference) } ?? .null,
          ])
      }
    }
    try await syncLosing(.post)
    // This edits the row while the device does not know whether the server has it.
    try device.edit("Game", "\(name) 1", ["notes": "edited meanwhile"])
    try await settled()
    let after = try world.rows()
    let added = ["League": 1, "Team": 1, "Game": 70]
    #expect(after.mapValues(\.count) == before.merging(added, uniquingKeysWith: +))
    let games = after["Game"] ?? [:]
    #expect(games.values.filter { $0["notes"]?.string == "edited meanwhile" }.count == 1)
    let titles = games.values.compactMap { $0["title"]?.string }
    #expect(Set(titles).count == titles.count)
    // No record existed twice for a while and was then merged.
    let conflicts = try await device.store.read { try $0.conflicts() }
    #expect(conflicts.filter { $0.reason == .duplicateMerged } == [])
    // Later chapters look for the edited row.
    try device.edit("Game", "\(name) 1", ["notes": .null])
    try await settled()
  }

  func edits() async throws {
    for number in 0..<60 {
      try device.edit("Game", "\(name) \(number)", ["score": .integer(Int64(number))])
    }
    try await syncLosing(.put)
    try await settled()
    let games = try world.server.rows(of: "Game").values
    #expect(games.compactMap { $0["score"]?.number }.reduce(0, +) == 1770)
    // Values that are certain on both sides are cleared for the next loss.
    for number in 0..<60 { try device.edit("Game", "\(name) \(number)", ["score": .null]) }
    try await settled()
  }

  func deletes() async throws {
    let before = try world.server.rows(of: "Game").count
    for number in 0..<5 {
      let row = try device.record("Game", "\(name) \(number)")
      try await device.store.write { try $0.delete(row.reference) }
    }
    try await syncLosing(.delete)
    try await settled()
    #expect(try world.server.rows(of: "Game").count == before - 5)
  }

  /// A sync that loses some of the writes with that method.
  private func syncLosing(_ verb: HTTPMethod) async throws {
    let loss = loss
    world.network.setFault { $0.writes(verb) ? loss : nil }
    let report = try await device.sync()
    #expect(report.outcome == .partial)
    world.network.setFault(nil)
  }

  /// Syncs until no write is in doubt, after the maximum request duration.
  private func settled() async throws {
    clock.advance(seconds: 130)
    try await world.resolve(device)
  }
}
