// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryParse
import FerryPlanning
import FerrySQLite
import FerryStore
import Foundation
import LoopbackParse
import Testing

@testable import FerryTool

@Suite(.serialized, .timeLimit(.minutes(10)))
struct VerifyProcessTests {
  private static let classes = """
    {
        "League": { "fields": { "name": { "type": "String" } } },
        "Game": { "fields": { "title": { "type": "String" },
          "score": { "type": "Number", "integer": true } } }
      }
    """

  /// A synced world whose records are all older than the next download's range.
  private func syncedWorld(games: Int = 6) async throws -> (ToolWorld, [String]) {
    let world = try ToolWorld()
    try load(
      world, (0..<games).map { ("game\($0)", "Game \($0)", 2_020) } + [("new", "New", 2_024)])
    try world.configure(classes: Self.classes)
    let sync = try await world.ferry("sync")
    #expect(sync.code == 0, "\(sync.errors)")
    return (world, (0..<games).map { "game\($0)" })
  }

  /// Adds games to the server with old stamps, like records that were committed late.
  private func load(_ world: ToolWorld, _ games: [(id: String, title: String, year: Int)]) throws {
    let rows = games.map { game -> LoopbackValue in
      [
        "objectId": .string(game.id), "createdAt": "2019-01-01T00:00:00.000Z",
        "updatedAt": .string("\(game.year)-01-01T00:00:00.000Z"), "title": .string(game.title),
        "score": 1,
      ]
    }
    try world.server.withBackend { backend throws(LoopbackError) in
      try backend.load(["Game": .array(rows)])
    }
  }

  @Test func `ferry verify shows a row that a trigger inserted while a sync wrote`() async throws {
    let (world, _) = try await syncedWorld(games: 1)
    let trigger =
      "CREATE TRIGGER twin AFTER INSERT ON Game WHEN NEW.title <> 'twin' BEGIN"
      + " INSERT INTO Game (objectId, title) VALUES ('twin', 'twin'); END"
    #expect(try await world.shell("sqlite3 store.sqlite \"\(trigger)\"").code == 0)
    try load(world, [("game9", "Game 9", 2_025)])
    #expect(try await world.ferry("sync").code == 0)
    let result = try await world.ferry("verify")
    #expect(result.code == 2)
    #expect(result.output.contains("1 that no sync sends"))
    #expect(result.output.contains("twin (a trigger inserted it"))
  }

  @Test func `ferry verify reports equal sides`() async throws {
    let (world, _) = try await syncedWorld()
    let result = try await world.ferry("verify")
    #expect(result.code == 0, "\(result.errors)")
    #expect(result.output == "Both sides are equal: 0 League, 7 Game.\n")
    #expect(result.errors.hasPrefix("Comparing League, Game with "))
    let json = try await world.ferry("verify", "--json")
    #expect(json.code == 0)
    #expect(json.lastMessage?["message_type"] as? String == "verification")
    #expect(json.lastMessage?["equal"] as? Bool == true)
  }

  @Test func `ferry verify names differences that a full comparison then mends`() async throws {
    let (world, ids) = try await syncedWorld()
    try load(world, [(ids[0], "Late", 2_021), ("missed", "Missed", 2_021)])
    try world.server.withBackend { backend throws(LoopbackError) in
      try backend.delete("Game", ids[1])
    }
    let unnoticed = try await world.ferry("sync")
    #expect(unnoticed.code == 0 && unnoticed.output.contains("Nothing had changed"))
    let store = try world.store()
    let game = try #require(try await store.read { try $0.record(of: "Game", objectID: ids[2]) })
    try await store.write { db in
      try db.update(game.reference, ["title": "Mine"])
      try db.insert("League", ["name": "South"])
    }
    let before = try await store.read { try $0.records(of: "Game") }
    let result = try await world.ferry("verify")
    #expect(result.code == 2, "\(result.errors)")
    #expect(result.output.contains("  1 missing here\n    missed\n"))
    #expect(result.output.contains("  1 in another version here\n    #1 game0 title\n"))
    #expect(result.output.contains("  1 gone on the server\n    #2 game1\n"))
    #expect(result.output.contains("  1 waiting to be sent\n    #3 game2 title (update, ready)\n"))
    #expect(result.output.contains("League\n  1 waiting to be sent\n    #1 name (create, ready)\n"))
    #expect(
      result.output.hasSuffix(
        """
        The two sides differ: 1 missing here, 1 in another version here, 1 gone on the server, \
        2 waiting to be sent.
        "ferry sync --compare everything" brings them in step.

        """))
    #expect(try await store.read { try $0.records(of: "Game") } == before)
    #expect(world.server.backend.count(of: "League") == 0)
    let json = try await world.ferry("verify", "--json")
    let kinds = json.messages.filter { $0["message_type"] as? String == "difference" }
      .compactMap { $0["kind"] as? String }
    #expect(
      kinds.sorted() == ["gone-there", "missing-here", "other-version", "unsent", "unsent"])
    #expect(json.code == 2 && json.lastMessage?["equal"] as? Bool == false)
    let mended = try await world.ferry("sync", "--compare", "everything")
    #expect(mended.code == 0, "\(mended.errors)")
    // Records that were sent come back once before they count as known.
    #expect(try await world.ferry("sync").code == 0)
    let after = try await world.ferry("verify")
    #expect(after.code == 0, "\(after.output)")
    try await store.write { try $0.update(game.reference, ["title": "Mine again"]) }
    let unsent = try await world.ferry("verify")
    #expect(unsent.output.hasSuffix("\"ferry sync\" brings them in step.\n"), "\(unsent.output)")
  }

  @Test func `ferry verify names records that are held back or quarantined`() async throws {
    let (world, ids) = try await syncedWorld(games: 40)
    try world.server.withBackend { backend throws(LoopbackError) in
      for id in ids.prefix(30) { try backend.delete("Game", id) }
      _ = try backend.create("Game", ["objectId": "poison", "title": "Poison", "score": 1.5])
    }
    for _ in 0..<2 {
      let result = try await world.ferry("verify", "--verbose")
      #expect(result.code == 2, "\(result.errors)")
      #expect(result.output.contains("  30 gone on the server, held back here\n    game0\n"))
      #expect(result.output.contains("  1 quarantined\n    poison ("))
      #expect(result.output.contains("ferry sync --confirm Game-local-30-"))
      #expect(!result.output.contains("brings them in step"))
      #expect(result.output.contains("A sync leaves 31 differences;"))
      // A sync that has met the differences before gives the same result.
      let sync = try await world.ferry("sync")
      #expect(sync.output.contains("\"ferry status\" lists what is left, and why."))
      let status = try await world.ferry("status")
      #expect(
        status.output.contains(
          "  30 of 41 Game would be removed locally. To confirm: ferry sync --confirm "))
      #expect(status.output.contains("  Game poison: "))
    }
  }

  @Test func `ferry verify reports an incomplete comparison`() async throws {
    let (world, _) = try await syncedWorld()
    world.server.setFault { request in
      let body = String(decoding: request.body, as: UTF8.self)
      guard body.contains("createdAt"), body.contains("$lt") else { return nil }
      return .respond(LoopbackResponse(status: 400, json: ["code": 102, "error": "no"]))
    }
    let result = try await world.ferry("verify")
    #expect(result.code == 3, "\(result.output) \(result.errors)")
    #expect(result.output.contains("Not everything could be compared"))
    #expect(!result.output.contains("equal"))
  }

  @Test func `ferry verify compares an empty store before the first sync`() async throws {
    let world = try ToolWorld()
    try world.fill(games: 2)
    try world.configure()
    let result = try await world.ferry("verify")
    #expect(result.code == 2)
    #expect(
      result.output.contains(
        "The two sides differ: 3 missing here.\n\"ferry sync\" brings them in step.\n"))
    let left = try FileManager.default.contentsOfDirectory(atPath: world.folder.path)
    #expect(left == ["ferry.json"])
  }

  @Test func `ferry plan and sync understand the flag for comparisons`() async throws {
    let (world, ids) = try await syncedWorld()
    try load(world, [(ids[0], "Late", 2_021)])
    #expect(try await world.ferry("plan", "--exit-code").code == 0)
    #expect(try await world.ferry("plan", "--exit-code", "--compare", "everything").code == 2)
    let wrong = try await world.ferry("sync", "--compare", "all")
    #expect(wrong.code == 64 && wrong.errors.contains("everything"))
  }
}
