// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import FerryTestSupport
import LoopbackParse
import Testing

extension WholeSync {
  /// A few deletes on both sides, and deletes that meet edits.
  func deletes() async throws {
    let game = try (0..<40).map { try a.record("Game", "Game \($0)").objectID }
    let total = try world.server.rows(of: "Game").count
    try world.server.delete("Game", [game[10], game[20], game[30]])
    for number in [11, 21] {
      let row = try a.record("Game", "Game \(number)")
      try await a.store.write { try $0.delete(row.reference) }
    }
    // Deleted on the server and edited locally, and the other way round: the delete wins.
    try a.edit("Game", "Game 12", ["notes": "lost to a delete"])
    try world.server.delete("Game", [game[12]])
    let row = try a.record("Game", "Game 13")
    try await a.store.write { try $0.delete(row.reference) }
    try world.server.update("Game", [game[13]: ["score": 1313]])

    let report = try await a.sync()
    #expect(report.outcome == .complete, "\(a.leftovers(report))")
    #expect(report.guarded == [])
    #expect(report.classes["Game"]?.removed == 4)
    #expect(report.classes["Game"]?.deleted == 3)
    let left = try world.server.rows(of: "Game")
    #expect(left.count == total - 7)
    #expect([10, 11, 12, 13, 20, 21, 30].allSatisfy { left[game[$0]] == nil })
    try await bothAgree()
    try expectConflicts(
      .deletedRemotely, "Game", game[12], lost: ["notes": "lost to a delete"])
    try expectConflicts(.editedRemotely, "Game", game[13], lost: ["score": 1313])
  }

  /// Deletes of a large share of a class wait on both sides until exactly that set is confirmed.
  func massDeletesWait() async throws {
    let ids = try await a.store.read { try $0.records(of: "Game").map(\.objectID) }.sorted()
    let gone = Array(ids.prefix(ids.count / 2))
    try world.server.delete("Game", gone)
    let held = try await a.sync()
    let removal = try #require(held.guarded.first)
    #expect(held.guarded.count == 1)
    #expect(held.outcome == .partial)
    #expect(removal.side == .local)
    #expect(removal.count == gone.count)
    #expect(try await a.store.read { try $0.count(of: "Game") } == ids.count)

    let confirmed = try await a.sync(confirming: [removal.confirmation])
    #expect(confirmed.classes["Game"]?.removed == gone.count)
    #expect(confirmed.outcome == .complete, "\(a.leftovers(confirmed))")
    try world.expectEqual(a)

    // The effect of a tool's DELETE without a condition.
    try await a.store.write { db in
      for team in try db.records(of: "Team") { try db.delete(team.reference) }
    }
    let teams = try world.server.rows(of: "Team").count
    let outgoing = try await a.sync()
    #expect(outgoing.guarded.map(\.side) == [.server])
    #expect(outgoing.guarded.map(\.count) == [teams])
    #expect(try world.server.rows(of: "Team").count == teams)
    let sent = try await a.sync(confirming: Set(outgoing.guarded.map(\.confirmation)))
    #expect(sent.classes["Team"]?.deleted == teams)
    #expect(try world.server.rows(of: "Team").isEmpty)
    _ = try await a.sync()
    try world.expectEqual(a)
  }
}
