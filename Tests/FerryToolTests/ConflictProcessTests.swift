// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerrySQLite
import FerryStore
import Foundation
import LoopbackParse
import Testing

@testable import FerryTool

@Suite(.serialized, .timeLimit(.minutes(10)))
struct ConflictProcessTests {
  /// A folder whose store has edited the title of a game that the server has edited too.
  private func conflict() async throws -> (ToolWorld, RecordReference) {
    let world = try ToolWorld()
    try world.fill()
    try world.configure()
    #expect(try await world.ferry("sync").code == 0)
    let game = try #require(
      try await world.store().read { try $0.records(of: "Game").first?.reference })
    try await world.store().write { try $0.update(game, ["title": "Mine"]) }
    try world.server.withBackend { backend throws(LoopbackError) in
      _ = try backend.update("Game", game.objectID, ["title": "Theirs"])
    }
    return (world, game)
  }

  @Test func `plan and sync say which side wins, and where the other value is kept`() async throws {
    let (world, game) = try await conflict()
    let plan = try await world.ferry("plan")
    #expect(
      plan.output.contains(
        "Both sides changed title. The server's value stays, and the local one is kept as a conflict "
          + "record."))
    #expect(
      plan.output.contains("conflict records would be written: Game: 1 (the server's value won)."))
    #expect(plan.output.contains("\"ferry conflicts\" lists them after the sync"))
    #expect(try await world.ferry("conflicts").output == "There is no conflict record.\n")
    let sync = try await world.ferry("sync")
    #expect(sync.code == 0, "\(sync.errors)")
    #expect(
      sync.output.contains("conflict records were written: Game: 1 (the server's value won)."))
    let told = sync.output.components(separatedBy: "\"ferry conflicts\" lists them")
    #expect(told.count == 2, "once")
    #expect(try !(await world.ferry("sync").output.contains("conflict")))
    let list = try await world.ferry("conflicts")
    #expect(
      list.output.contains("  Game #\(game.localID) \(game.objectID): the server's value won\n"))
    #expect(list.output.hasSuffix("    title: lost \"Mine\", kept \"Theirs\"\n"))
    let json = try await world.ferry("conflicts", "--json").output.split(separator: "\n")
    let record = try #require(
      try JSONSerialization.jsonObject(with: Data(json[0].utf8)) as? [String: Any])
    #expect(record["message_type"] as? String == "conflict")
    #expect(record["winner"] as? String == "server")
    #expect(record["lost"] as? [String: String] == ["title": "Mine"])
    #expect(record["kept"] as? [String: String] == ["title": "Theirs"])
  }

  @Test func `a sync counts its conflict records by class and reason`() async throws {
    let (world, _) = try await conflict()
    for (command, isPlan) in [("plan", true), ("sync", false)] {
      let result = try await world.ferry(command, "--json")
      let counts = result.lastMessage?["conflicts"] as? [String: [String: Int]]
      #expect(counts == ["Game": ["remoteWon": 1]], "\(isPlan)")
    }
  }

  @Test func `a lost value is restored and the next sync sends it`() async throws {
    let (world, game) = try await conflict()
    #expect(try await world.ferry("sync").code == 0)
    let restored = try await world.ferry("restore", "1")
    #expect(restored.code == 0, "\(restored.errors)")
    #expect(
      restored.output
        == "Restored the conflict record 1 in the row Game #\(game.localID): title = \"Mine\".\n"
        + "The row had: title = \"Theirs\".\nThis is a local edit, and the next sync sends it.\n")
    #expect(try await world.ferry("conflicts").output.contains("the server's value won (restored)"))
    let again = try await world.ferry("restore", "1")
    #expect(again.code == 0 && again.output.contains("title = \"Mine\""), "\(again.errors)")
    #expect(try await world.ferry("sync").code == 0)
    let titles = world.server.backend.objects(of: "Game").compactMap { $0["title"]?.string }
    #expect(titles.contains("Mine") && !titles.contains("Theirs"))
  }

  @Test func `a row that a sync removed comes back as a new row`() async throws {
    let world = try ToolWorld()
    try world.fill()
    try world.configure()
    #expect(try await world.ferry("sync").code == 0)
    let id = try #require(world.server.backend.objects(of: "Game").first?["objectId"]?.string)
    let list: LoopbackValue = ["*": ["read": true]]
    try world.server.withBackend { backend throws(LoopbackError) in
      _ = try backend.update("Game", id, ["ACL": list])
    }
    #expect(try await world.ferry("sync").code == 0)
    try world.server.withBackend { backend throws(LoopbackError) in
      try backend.delete("Game", id)
    }
    let sync = try await world.ferry("sync")
    #expect(sync.output.contains("Game: 1 (gone on the server, removed locally)"))
    #expect(
      try await world.ferry("conflicts").output.contains("    acl: {\"*\":{\"read\":true}}\n"))
    let json = try await world.ferry("conflicts", "--json").output.split(separator: "\n")
    #expect(json[0].contains(#""acl":{"*":{"read":true}}"#), "\(json[0])")
    let restored = try await world.ferry("restore", "1", "--json")
    #expect(restored.lastMessage?["new_row"] as? Bool == true, "\(restored.errors)")
    #expect(try await world.ferry("sync").code == 0)
    let games = world.server.backend.objects(of: "Game")
    #expect(games.count == 3 && games.contains { $0["ACL"] == list })
    let again = try await world.ferry("restore", "1", "--json")
    #expect(again.code == 64 && again.lastMessage?["name"] as? String == "already-restored")
  }

  @Test func `a restore that cannot be says why and changes nothing`() async throws {
    let (world, game) = try await conflict()
    let early = try await world.ferry("restore", "1")
    #expect(early.code == 64)
    #expect(early.errors.contains("There is no conflict record 1."))
    #expect(try await world.ferry("restore", "title").code == 64)
    #expect(try await world.ferry("restore").errors.contains("ferry restore needs a NUMBER."))
    #expect(try await world.ferry("sync").code == 0)
    try world.configure(classes: #"{ "League": { "fields": { "name": { "type": "String" } } } }"#)
    let class_ = try await world.ferry("restore", "1")
    #expect(class_.code == 78)
    #expect(class_.errors.contains("ferry.json does not name the class Game"))
    try world.configure(classes: #"{ "Game": { "fields": { "score": { "type": "Number" } } } }"#)
    let field = try await world.ferry("restore", "1")
    #expect(field.code == 78)
    #expect(field.errors.contains("none of the fields title"), "\(field.errors)")
    try world.configure()
    try await world.store().write { try $0.delete(game) }
    let row = try await world.ferry("restore", "1")
    #expect(row.code == 64)
    #expect(row.errors.contains("of Game is gone"), "\(row.errors)")
    #expect(try await !world.ferry("conflicts").output.contains("(restored)"))
  }

  @Test func `conflict records are listed by class, number and limit`() async throws {
    let world = try ToolWorld()
    try world.fill(games: 12)
    try world.configure()
    #expect(try await world.ferry("sync").code == 0)
    let ids = world.server.backend.objects(of: "Game").compactMap { $0["objectId"]?.string }
    try world.server.withBackend { backend throws(LoopbackError) in
      for id in ids.prefix(5) { try backend.delete("Game", id) }
    }
    #expect(try await world.ferry("sync").code == 0)
    for (arguments, numbers) in [
      ("", [1, 2, 3, 4, 5]), ("--limit 2", [4, 5]), ("--before 4 --limit 2", [2, 3]),
      ("--class League", []), ("--class League Game --limit 1", [5]),
    ] {
      let list = try await world.shell("\"$FERRY\" conflicts --json \(arguments)")
      let lines = list.output.split(separator: "\n").dropLast()
      let found = try lines.map { line in
        let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
        return object?["number"] as? Int ?? 0
      }
      #expect(found == numbers, "\(arguments)")
    }
    let none = try await world.ferry("conflicts", "--before", "1")
    #expect(none.output == "There is no conflict record before the number 1.\n")
  }
}
