// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import FerryTestSupport
import Testing

extension SyncTests {
  /// The server's own code is slow, changes saved values, and refuses one record of many.
  @Test(arguments: TestServer.Kind.all, [true, false])
  func `triggers on the server have their say`(on kind: TestServer.Kind, allowsCustomIDs: Bool)
    async throws
  {
    let variant = ServerVariant("slow code", isMaster: false) {
      $0.options.allowsCustomIDs = allowsCustomIDs
      $0.options.cloudCode = .changesGamesSlowly
    }
    let world = try LeagueWorld(kind, variant)
    let device = try world.device()
    try await device.store.write { db in
      let bad = try db.insert("Game", ["title": "bad"])
      try db.insert("Game", ["title": "child", "previous": .pointer(bad)])
      for number in 0..<20 { try db.insert("Game", ["title": .string("good \(number)")]) }
    }
    let report = try await device.sync()
    #expect(report.classes["Game"]?.created == 20, "\(device.leftovers(report))")
    #expect(report.classes["Game"]?.parked == 1)
    let parked = try device.pending().compactMap { entry in
      if case .parked(let refusal) = entry.state { refusal.code } else { nil }
    }
    #expect(parked == [4711])

    try device.edit("Game", "bad", ["title": "better"])
    let better = try await device.sync()
    #expect(better.classes["Game"]?.created == 2, "\(device.leftovers(better))")
    try await world.resolve(device)
    for title in ["better", "good 7"] {
      let game = try device.record("Game", title)
      #expect(game["notes"] == .string("seen: \(title)"))
      #expect(game["away"] == .pointer(.init(className: "Team", objectID: "chosenTeam")))
    }
    // A local edit that the server's code overrules.
    try device.edit("Game", "good 7", ["notes": "mine", "score": 7])
    try await world.resolve(device)
    #expect(try device.record("Game", "good 7")["notes"] == "seen: good 7")
    #expect(try device.record("Game", "good 7")["score"] == 7)
  }
}
