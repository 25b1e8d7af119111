// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import FerrySQLite
import FerryStore
import Foundation
import LoopbackParse
import Testing

@testable import FerryTool

/// `ferry conflicts show`, `restore` and `seen`.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct ConflictActionProcessTests {
  /// A folder in which a sync has overwritten the titles of two games, and removed a third one.
  private func overwritten() async throws -> ToolWorld {
    let world = try ToolWorld()
    try world.fill(games: 6)
    try world.configure()
    #expect(try await world.ferry("sync").code == 0)
    let games = try await world.store().read { try $0.records(of: "Game") }
    try await world.store().write { db in
      for game in games.prefix(2) { try db.update(game.reference, ["title": "Mine"]) }
    }
    try world.server.withBackend { backend throws(LoopbackError) in
      for game in games.prefix(2) {
        _ = try backend.update("Game", game.objectID, ["title": "Theirs"])
      }
      try backend.delete("Game", games[2].objectID)
    }
    return world
  }

  /// The row of a conflict record; the server's order decides which game it is.
  private func row(_ number: Int64, _ world: ToolWorld) async throws -> RecordReference {
    try #require(try await world.store().read { try $0.conflict(number)?.record })
  }

  @Test func `conflicts show tells lost, kept and present values`() async throws {
    let world = try await overwritten()
    #expect(try await world.ferry("sync").code == 0)
    let game = try await row(1, world)
    try await world.store().write { try $0.update(game, ["title": "Now"]) }
    let shown = try await world.ferry("conflicts", "show", "1")
    #expect(shown.code == 0, "\(shown.errors)")
    #expect(
      shown.output.hasSuffix("    title: lost \"Mine\", kept \"Theirs\", now \"Now\"\n"),
      "\(shown.output)")
    let json = try await world.ferry("conflicts", "show", "1", "--json").lastMessage
    #expect(json?["row"] as? [String: String] == ["title": "Now"])
    #expect((json?["seen"] as? Bool, json?["run"] as? Int) == (false, 1))
    let gone = try await world.ferry("conflicts", "show", "3")
    #expect(gone.output.hasSuffix("The row is gone, or ferry.json leaves out its class.\n"))
    #expect(try await world.ferry("conflicts", "show", "3", "--json").lastMessage?["row"] == nil)
    for number in ["4", "0", "title"] {
      #expect(try await world.ferry("conflicts", "show", number).code == 64, "\(number)")
    }
  }

  @Test func `conflicts seen ends the count in the status`() async throws {
    let world = try await overwritten()
    #expect(try await world.ferry("conflicts", "seen", "--all").output == "Nothing was unseen.\n")
    #expect(try await world.ferry("sync").code == 0)
    let status = try await world.ferry("status")
    #expect(status.output.contains("3 conflict records are unseen; \"ferry conflicts\" shows"))
    let counts = try await world.ferry("status", "--json").lastMessage?["unseen_conflicts"]
    #expect(counts as? [String: Int] == ["Game": 3])
    let one = try await world.ferry("conflicts", "seen", "2")
    #expect((one.code, one.output) == (0, "Marked 1 conflict record as seen.\n"))
    #expect(try await world.ferry("conflicts").output.contains("the server's value won (seen)\n"))
    let none = try await world.ferry("conflicts", "seen", "--all", "--class", "League")
    #expect(none.output == "Nothing was unseen.\n")
    let all = try await world.ferry("conflicts", "seen", "--all", "--json")
    #expect(all.lastMessage?["conflicts"] as? Int == 2)
    #expect(try await !world.ferry("status").output.contains("unseen"))
    let unknown = try await world.ferry("conflicts", "seen", "9")
    #expect(unknown.code == 64)
    #expect(unknown.errors.contains("There is no conflict record 9."))
  }

  @Test func `conflicts restore brings back one, or all of a run`() async throws {
    let world = try await overwritten()
    let sync = try await world.ferry("sync")
    #expect(sync.output.contains("\"ferry conflicts restore --run 1\" brings back all of them."))
    #expect(try await world.ferry("sync", "--json").lastMessage?["conflict_run"] == nil)
    let one = try await world.ferry("conflicts", "restore", "1")
    #expect(
      one.output.hasPrefix("Restored the conflict record 1 in the row Game #"), "\(one.errors)")
    let game = try await row(2, world)
    try await world.store().write { try $0.delete(game) }
    let rest = try await world.ferry("conflicts", "restore", "--run", "1")
    #expect(rest.code == 3, "\(rest.errors)")
    #expect(rest.output.hasPrefix("3  restored in Game #"), "\(rest.output)")
    #expect(rest.output.contains("\n2  not restored: The row \(game.localID) of Game is gone"))
    #expect(
      rest.output.hasSuffix(
        "Restored 1 of 2. These are local edits, and the next sync sends them.\n"))
    try await world.store().write { try $0.discardChanges(of: "Game") }
    let last = try await world.ferry("conflicts", "restore", "--run", "1", "--json")
    #expect(last.code == 0, "\(last.output)")
    #expect(last.lastMessage?["restored"] as? Int == 2, "the discard took a restored row away")
    let again = try await world.ferry("conflicts", "restore", "--run", "1")
    #expect(again.output == "All conflict records of the run 1 were restored before.\n")
    for arguments in [["--run", "7"], ["--run", "x"], [], ["1", "--run", "1"], ["1", "--all"]] {
      let result = try await FerryProcess(
        ["conflicts", "restore"] + arguments, in: world.folder.url
      ).result()
      #expect(result.code == 64, "\(arguments)")
      #expect(result.output.isEmpty, "\(arguments)")
    }
  }

  @Test func `conflicts refuses flags and numbers that an action does not take`() async throws {
    let world = try await overwritten()
    for line in [
      "conflicts forget", "conflicts list 1", "conflicts list --all", "conflicts show",
      "conflicts show 1 2", "conflicts show 1 --limit 3", "conflicts seen",
      "conflicts seen 1 --all", "conflicts seen --class Game", "conflicts seen 1 --class Game",
      "conflicts seen --all --before 4", "outbox show 1", "restore 1 2",
    ] {
      let result = try await world.shell("\"$FERRY\" \(line)")
      #expect(result.code == 64, "\(line)")
    }
  }
}
