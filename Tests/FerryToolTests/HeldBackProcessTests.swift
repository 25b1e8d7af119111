// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import FerrySQLite
import FerryStore
import Foundation
import LoopbackParse
import Testing

@testable import FerryTool

@Suite(.serialized, .timeLimit(.minutes(10)))
struct HeldBackProcessTests {
  private enum Side: CaseIterable { case local, server }

  /// A folder in which 30 of 40 games were deleted on one side.
  private func world(deleting side: Side) async throws -> ToolWorld {
    let world = try ToolWorld()
    try world.fill(games: 40)
    try world.configure()
    #expect(try await world.ferry("sync").code == 0)
    switch side {
    case .local:
      let store = try world.store()
      try await store.write { db in
        for game in try db.records(of: "Game", limit: 30) { try db.delete(game.reference) }
      }
    case .server:
      let ids = world.server.backend.objects(of: "Game").compactMap { $0["objectId"]?.string }
      try world.server.withBackend { backend throws(LoopbackError) in
        for id in ids.prefix(30) { try backend.delete("Game", id) }
      }
    }
    return world
  }

  @Test(arguments: Side.allCases)
  private func `a held set has one name, one count and one command everywhere`(
    side: Side
  ) async throws {
    let world = try await world(deleting: side)
    let action = side == .local ? "deleted on the server" : "removed locally"
    let set = "30 of 40 Game would be \(action). To confirm: ferry sync --confirm Game-"
    let plan = try await world.ferry("plan", "--exit-code")
    #expect(plan.code == 3, "a sync has nothing to do but to hold back")
    #expect(plan.output.contains("Held back: \(set)"), "\(plan.output)")
    #expect(plan.output.hasSuffix("Left in Game: 30 held back.\n"), "\(plan.output)")
    let sync = try await world.ferry("sync", "--json")
    #expect(sync.code == 25)
    let counts = (sync.lastMessage?["classes"] as? [String: [String: Int]])?["Game"]
    #expect(counts?["held"] == 30)
    #expect(counts?["waiting"] == 0)
    let text = try await world.ferry("sync").output
    #expect(text.contains("Held back: \(set)"))
    #expect(text.contains("Left in Game: 30 held back."))
    #expect(!text.contains("waiting"))
    let status = try await world.ferry("status")
    #expect(status.output.contains("  \(set)"), "\(status.output)")
    #expect(status.output.contains("held back"))
    let json = try await world.ferry("status", "--json")
    let game = (json.lastMessage?["classes"] as? [String: [String: Any]])?["Game"]
    #expect(game?["held"] as? Int == 30)
    #expect(game?["blocked"] as? Int == 0)
    let outbox = try await world.ferry("outbox")
    #expect(!outbox.output.contains("blocked"))
    #expect(outbox.output.contains("delete: held back. ") == (side == .local))
    // The command that status prints is the one that works.
    let line = try #require(status.output.split(separator: "\n").first { $0.contains("--confirm") })
    let name = try #require(line.split(separator: " ").last)
    let confirmed = try await world.ferry("sync", "--confirm", String(name))
    #expect(confirmed.code == 0, "\(confirmed.errors)")
    #expect(world.server.backend.objects(of: "Game").count == 10)
    #expect(try await world.store().read { try $0.count(of: "Game") } == 10)
  }

  @Test func `a confirmation that names no class of ferry json is refused`() async throws {
    let world = try await world(deleting: .server)
    let name = try await #require(
      (world.ferry("sync", "--json").lastMessage?["guarded"] as? [[String: Any]])?.first?[
        "confirmation"] as? String)
    let requests = world.server.requestCount
    for wrong in ["Game", "Gane" + name.dropFirst(4), String(name.dropLast(3))] {
      for command in ["sync", "plan"] {
        let result = try await world.ferry(command, "--confirm", wrong)
        #expect(result.code == 64, "\(wrong)")
        #expect(result.errors.contains("--confirm does not know \"\(wrong)\". Nothing was done."))
        #expect(result.errors.contains("Did you mean \(name)?"), "\(result.errors)")
      }
    }
    #expect(world.server.requestCount == requests)
    let other = String(name.dropLast(16)) + "0123456789abcdef"
    let sync = try await world.ferry("sync", "--confirm", other)
    #expect(sync.code == 25)
    #expect(sync.errors.contains("\(other)\" let nothing pass"))
    let fresh = try ToolWorld()
    try fresh.configure()
    let early = try await fresh.ferry("sync", "--confirm", "Gmae-local-1-0123456789abcdef")
    #expect(early.code == 64)
    #expect(early.errors.contains("\"ferry status\" prints the name"))
  }

  @Test func `a run of some stages says which, and not that nothing had changed`() async throws {
    let world = try ToolWorld()
    try world.fill()
    try world.configure()
    let plan = try await world.ferry("plan", "--through", "download")
    #expect(
      plan.output == "Nothing to do in the stage download. The other stages were not planned.\n")
    let download = try await world.ferry("sync", "--through", "download")
    #expect(download.code == 0)
    #expect(!download.output.contains("Nothing had changed"))
    #expect(download.output.contains("Only the stage download ran. 4 records are staged:"))
    #expect(download.output.contains("\"ferry sync --only import\" imports them."))
    #expect(try await world.ferry("sync").output.contains("imported"))
    let import_ = try await world.ferry("sync", "--only", "import")
    #expect(import_.output.contains("Only the stage import ran."))
    #expect(!import_.output.contains("Nothing had changed"))
    #expect(try await world.ferry("sync").output.contains("Nothing had changed"))
  }

  @Test func `history after its end says where it ends`() async throws {
    let world = try ToolWorld()
    try world.configure()
    #expect(try await world.ferry("history", "--after", "9").output == "No change is recorded.\n")
    try world.fill()
    #expect(try await world.ferry("sync").code == 0)
    let last = try await world.store().read { try $0.lastToken().rawValue }
    #expect(
      try await world.ferry("history", "--after", "\(last)").output
        == "No change is recorded after \(last). History ends at \(last).\n")
    #expect(
      try await world.ferry("history", "--after", "\(last + 5)").output
        == "History ends at \(last), before \(last + 5).\n")
  }
}
