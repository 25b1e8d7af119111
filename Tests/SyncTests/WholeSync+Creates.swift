// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import FerryTestSupport
import LoopbackParse
import Testing

extension WholeSync {
  /// New rows under new parents, in circles, and on both devices at once.
  func creates() async throws {
    let old = try a.record("League", "League 0")
    // PostgreSQL has no earlier year.
    let firstDay = try #require(Timestamp("0001-01-01T00:00:00.001Z"))
    let made = try await a.store.write { db in
      let league = try db.insert("League", ["name": "New league", "level": 1])
      let team = try db.insert("Team", ["name": "New team", "league": .pointer(league)])
      let games = try (0..<120).map { number in
        try db.insert(
          "Game",
          [
            "title": .string("New game \(number)"), "home": .pointer(team), "score": 1,
            "tags": [.pointer(team), ["by": .pointer(league)]], "playedAt": .date(firstDay),
          ])
      }
      // A circle of two, one row that points to itself, and a circle through two classes.
      try db.update(games[0], ["previous": .pointer(games[1])])
      try db.update(games[1], ["previous": .pointer(games[0])])
      try db.update(games[2], ["previous": .pointer(games[2])])
      try db.update(team, ["derby": .pointer(games[3])])
      try db.insert("Team", ["name": "New team of old league", "league": .pointer(old.reference)])
      return games
    }
    try await b.store.write { db in
      let team = try db.insert("Team", ["name": "Team of b"])
      try db.insert("Game", ["title": "Game of b", "away": .pointer(team)])
    }
    let before = try world.rows().mapValues(\.count)
    let report = try await a.sync()
    #expect(report.outcome == .complete, "\(a.leftovers(report))")
    #expect(report.classes.mapValues(\.created) == ["League": 1, "Team": 2, "Game": 120])
    try await bothAgree()

    let after = try world.rows()
    #expect(
      after.mapValues(\.count)
        == before.merging(["League": 1, "Team": 3, "Game": 121], uniquingKeysWith: +))
    let games = try made.map { game in
      try #require(try a.store.read { try $0.record(of: "Game", localID: game.localID) })
    }
    let usesServerIDs = games.allSatisfy { $0.objectID.utf8.count == 10 }
    #expect(usesServerIDs == !variant.options.allowsCustomIDs)
    // An id that was replaced still leads to its row.
    let byOldID = try await a.store.read { try $0.record(of: "Game", objectID: made[5].objectID) }
    #expect(byOldID?.localID == made[5].localID)
    let rows = after["Game"] ?? [:]
    let previous = games.prefix(3).map { rows[$0.objectID]?["previous"]?["objectId"]?.string }
    #expect(previous == [1, 0, 2].map { games[$0].objectID })
    let team = try a.record("Team", "New team")
    #expect(team["derby"] == .pointer(games[3].reference))
    #expect(rows.values.filter { $0["home"]?["objectId"]?.string == team.objectID }.count == 120)
  }
}
