// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import FerryPlanning
import FerryTestSupport
import LoopbackParse
import Testing

extension WholeSync {
  /// Edits of different records, of different fields of one, and of the same field.
  func edits() async throws {
    let game = try (0..<8).map { try a.record("Game", "Game \($0)").objectID }
    let team = try a.record("Team", "Team 0").objectID
    try a.edit("Game", "Game 0", ["notes": "edited locally ⚽️", "score": -12, "isFinal": true])
    try a.edit("Game", "Game 1", ["notes": .null, "details": ["left": [1, .null, "x"]]])
    try a.edit("Game", "Game 2", ["score": 77])
    try a.edit("Game", "Game 3", ["title": "title from here"])
    try a.edit("Game", "Game 4", ["score": 4])
    try a.edit("Team", "Team 0", ["name": "name from here"])
    try b.edit("Game", "Game 5", ["place": .geoPoint(GeoPoint(latitude: 1.5, longitude: -2))])
    try world.server.update(
      "Game",
      [
        game[2]: ["title": "title from there"], game[3]: ["title": "another title"],
        game[4]: ["score": 4], game[6]: ["notes": "edited remotely"],
        game[7]: ["notes": ["__op": "Delete"], "ratio": 2.5],
      ])
    try world.server.update("Team", [team: ["name": "name from there"]])

    let report = try await a.sync()
    #expect(report.outcome == .complete, "\(a.leftovers(report))")
    // Games 0, 1 and 2, and the team whose conflict was won locally; nothing of games 3 and 4 is
    // left.
    #expect(report.classes["Game"]?.put == 3)
    #expect(report.classes["Team"]?.put == 1)
    try await bothAgree()

    let rows = try world.server.rows(of: "Game")
    #expect(rows[game[0]]?["notes"]?.string == "edited locally ⚽️")
    #expect(rows[game[0]]?["score"]?.number == -12)
    #expect(rows[game[1]]?["notes"] == nil)
    #expect(rows[game[2]]?["title"]?.string == "title from there")
    #expect(rows[game[2]]?["score"]?.number == 77)
    #expect(rows[game[3]]?["title"]?.string == "another title")
    #expect(try serverRow("Team", team)["name"]?.string == "name from here")
    try expectConflicts(
      .remoteWon, "Game", game[3], lost: ["title": "title from here"])
    try expectConflicts(.localWon, "Team", team, lost: ["name": "name from there"])
    // The next chapters use these titles.
    try a.edit("Game", "title from there", ["title": "Game 2"])
    try a.edit("Game", "another title", ["title": "Game 3"])
    try await bothAgree()
  }

  /// Expects conflict records of `a` with a record's lost values and that reason.
  func expectConflicts(
    _ reason: ConflictRecord.Reason, _ className: String, _ objectID: String, lost: Fields,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let entries = try a.store.read { try $0.conflicts() }
    let own = entries.filter {
      $0.record.className == className && $0.record.objectID == objectID && $0.reason == reason
    }
    #expect(own.count == 1, "\(entries)", sourceLocation: sourceLocation)
    let kept = own.first?.lost.only(Set(lost.names))
    #expect(kept == lost, sourceLocation: sourceLocation)
  }
}
