// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import FerryHTTP
import FerryTestSupport
import LoopbackParse
import Testing

extension RealServerTests {
  /// Writes whose answers, or which themselves, are lost on the way: never anything twice.
  @Test(arguments: [true, false]) func nothingIsDoneTwice(allowsCustomIDs: Bool) async throws {
    try await RealWorld.with(RealWorld.Variant(allowsCustomIDs: allowsCustomIDs)) { world in
      let network = RealServerLosses()
      var options = SyncOptions()
      options.settleTime = .seconds(1)
      let device = try world.device(options: options, transport: network)
      // The first create alone finds out whose ids count.
      try device.store.write { _ = try $0.insert("Game", ["title": "known"]) }
      _ = try await device.sync()

      for loss in [RealServerLosses.Loss.answer, .request] {
        let story = LossStory(
          world: world, device: device, network: network, loss: loss,
          name: loss == .answer ? "answer" : "request")
        try await story.creates()
        try await story.edits()
        try await story.deletes()
      }
    }
  }

  /// A place that is none on earth is stored, and yet every write of its row is answered as an
  /// internal error.
  @Test(arguments: [true, false])
  func whatWasDoneInSpiteOfAnErrorIsNotDoneAgain(allowsCustomIDs: Bool) async throws {
    try await RealWorld.with(RealWorld.Variant(allowsCustomIDs: allowsCustomIDs)) { world in
      let device = try world.device()
      let nowhere = Value.geoPoint(GeoPoint(latitude: 91, longitude: 0))
      try device.store.write { db in
        let team = try db.insert("Team", ["name": "nowhere", "home": nowhere])
        for number in 0..<3 {
          try db.insert(
            "Game", ["title": .string("\(number)"), "place": nowhere, "home": .pointer(team)])
        }
      }
      try await world.settle(device)
      try device.edit("Game", "1", ["score": 5])
      try await world.settle(device)
      #expect(try await world.rows().mapValues(\.count) == ["League": 0, "Team": 1, "Game": 3])
    }
  }
}

/// What becomes of creates, edits and deletes on a network that loses them or their answers.
private struct LossStory {
  let world: RealWorld
  let device: Device
  let network: RealServerLosses
  let loss: RealServerLosses.Loss
  let name: String

  func creates() async throws {
    let before = try await world.rows().mapValues(\.count)
    let team = try device.store.write { db in
      let league = try db.insert("League", ["name": .string(name)])
      return try db.insert("Team", ["name": .string(name), "league": .pointer(league)])
    }
    // The league alone is lost, and what hangs on it has to wait.
    try await syncLosing("POST")
    try await settled()
    try device.store.write { db in
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
    try await syncLosing("POST")
    // Edited while nobody knows whether the server has it.
    try device.edit("Game", "\(name) 1", ["notes": "edited meanwhile"])
    try await settled()
    let after = try await world.rows()
    let added = ["League": 1, "Team": 1, "Game": 70]
    #expect(after.mapValues(\.count) == before.merging(added, uniquingKeysWith: +))
    let games = after["Game"] ?? [:]
    #expect(games.values.filter { $0["notes"]?.string == "edited meanwhile" }.count == 1)
    let titles = games.values.compactMap { $0["title"]?.string }
    #expect(Set(titles).count == titles.count)
    // Nor was anything there twice for a while, found, and brought together.
    let journal = try device.store.read { try $0.journal(limit: nil) }
    #expect(journal.filter { $0.reason == .duplicateMerged } == [])
    // Later chapters look for the one that was edited.
    try device.edit("Game", "\(name) 1", ["notes": .null])
    try await settled()
  }

  func edits() async throws {
    for number in 0..<60 {
      try device.edit("Game", "\(name) \(number)", ["score": .integer(Int64(number))])
    }
    try await syncLosing("PUT")
    try await settled()
    let games = try await world.access.rows(of: "Game").values
    #expect(games.compactMap { $0["score"]?.number }.reduce(0, +) == 1770)
    // What is certain on both sides is cleared for the next loss.
    for number in 0..<60 { try device.edit("Game", "\(name) \(number)", ["score": .null]) }
    try await settled()
  }

  func deletes() async throws {
    let before = try await world.access.rows(of: "Game").count
    for number in 0..<5 {
      let row = try device.record("Game", "\(name) \(number)")
      try device.store.write { try $0.delete(row.reference) }
    }
    try await syncLosing("DELETE")
    try await settled()
    #expect(try await world.access.rows(of: "Game").count == before - 5)
  }

  /// A sync that loses what it can of the writes with that verb.
  private func syncLosing(_ verb: String) async throws {
    let loss = loss
    network.lose { request in
      let body = String(decoding: request.body, as: UTF8.self)
      let isChosen = request.method.rawValue == verb || body.contains("\"method\":\"\(verb)\"")
      return request.isWrite && isChosen ? loss : nil
    }
    let report = try await device.sync()
    #expect(report.outcome == .partial)
    network.lose { _ in nil }
  }

  /// Syncs until nothing is in doubt, once the time is over for which a request may still be running.
  private func settled() async throws {
    try await Task.sleep(for: .seconds(1.2))
    try await world.settle(device)
  }
}
