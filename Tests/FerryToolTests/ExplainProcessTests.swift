// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerrySQLite
import FerryStore
import Foundation
import LoopbackParse
import Testing

@testable import FerryTool

@Suite(.serialized, .timeLimit(.minutes(10)))
struct ExplainProcessTests {
  private func synced() async throws -> (ToolWorld, Record) {
    let world = try ToolWorld()
    try world.fill()
    try world.configure()
    #expect(try await world.ferry("sync").code == 0)
    return (world, try #require(try await world.store().read { try $0.records(of: "Game").first }))
  }

  @Test func `explain tells the row, the unsent change and the next sync's actions`() async throws {
    let (world, game) = try await synced()
    let quiet = try await world.ferry("explain", "--class", "Game", "--id", "\(game.localID)")
    #expect(quiet.code == 0, "\(quiet.errors)")
    #expect(quiet.output.hasPrefix("Game #\(game.localID) \(game.objectID), version "))
    let equal = "The server has the same version and the same values."
    #expect(
      quiet.output.hasSuffix(
        "Nothing is unsent.\n\(equal)\nThe next sync does nothing with it.\n"))
    try await world.store().write { try $0.update(game.reference, ["title": "Mine"]) }
    let edited = try await world.ferry("explain", "--class", "Game", "--id", game.objectID)
    #expect(edited.output.contains("title: \"Mine\", the server had \(game["title"].json)"))
    #expect(
      edited.output.hasSuffix("The next sync:\n    put-updated: changed on the server title.\n"),
      "\(edited.output)")
  }

  @Test func `explain shows no version of a member`() async throws {
    let world = try ToolWorld()
    try world.fill()
    try world.configure(
      classes: """
        {
          "League": { "fields": { "name": { "type": "String" },
            "games": { "type": "Relation", "targetClass": "Game" } } },
          "Game": { "fields": { "title": { "type": "String" } } },
          "League_games": { "membersOf": {
            "className": "League", "field": "games", "targetClass": "Game" } }
        }
        """)
    #expect(try await world.ferry("sync").code == 0)
    let (league, game) = try await world.store().read { db in
      (
        try #require(try db.records(of: "League").first).objectID,
        try #require(try db.records(of: "Game").first).objectID
      )
    }
    try world.server.withBackend { backend throws(LoopbackError) in
      _ = try backend.update(
        "League", league,
        ["games": ["__op": "AddRelation", "objects": [.pointer("Game", game)]]])
    }
    #expect(try await world.ferry("sync").code == 0)
    let member = try await world.ferry(
      "explain", "--class", "League_games", "--id", "\(league):\(game)")
    #expect(member.code == 0, "\(member.errors)")
    #expect(member.output.contains("a member, which has no version of its own\n"))
    #expect(member.output.contains("\nThe server has the member.\n"))
    let json = try await world.ferry(
      "explain", "--class", "League_games", "--id", "\(league):\(game)", "--json")
    #expect(!json.output.contains("1970"))
  }

  @Test func `explain tells which side wins, and then the lost value`() async throws {
    let (world, game) = try await synced()
    try await world.store().write { try $0.update(game.reference, ["title": "Mine"]) }
    try world.server.withBackend { backend throws(LoopbackError) in
      _ = try backend.update("Game", game.objectID, ["title": "Theirs"])
    }
    let before = try await world.ferry("explain", "--class", "Game", "--id", "#\(game.localID)")
    #expect(before.output.contains("The server's value stays"), "\(before.output)")
    #expect(try await world.ferry("sync").code == 0)
    let after = try await world.ferry("explain", "--class", "Game", "--id", "#\(game.localID)")
    #expect(after.output.contains("Lost values:"))
    #expect(after.output.contains("title: lost \"Mine\", kept \"Theirs\""))
  }

  @Test func `explain tells what it does not know, and what it cannot ask`() async throws {
    let (world, _) = try await synced()
    let stranger = try await world.ferry("explain", "--class", "Game", "--id", "nobody")
    #expect(stranger.code == 0, "\(stranger.errors)")
    #expect(
      stranger.output
        == """
        Game nobody: no row is here.
        Nothing is unsent.
        The server shows no such record. It is gone or was never there, or this user may not read it.
        The next sync does nothing with it.

        """)
    #expect(try await world.ferry("explain", "--class", "Game").code == 64)
    #expect(try await world.ferry("explain", "--class", "Nothing", "--id", "1").code == 64)
  }

  @Test func `explain shows the server's values beside those here and those before the edit`()
    async throws
  {
    let (world, game) = try await synced()
    try await world.store().write { try $0.update(game.reference, ["title": "Mine"]) }
    try world.server.withBackend { backend throws(LoopbackError) in
      _ = try backend.update("Game", game.objectID, ["title": "Theirs", "score": 99])
    }
    let text = try await world.ferry("explain", "--class", "Game", "--id", game.objectID).output
    let (title, score) = (game["title"].json, game["score"].json)
    let league = game["league"].json.prefix(57)
    #expect(text.contains("The server now, version "))
    #expect(text.contains("\n    score: 99, here \(score)\n"), "\(text)")
    #expect(text.contains("\n    title: \"Theirs\", here \"Mine\", the server had \(title)\n"))
    #expect(text.contains("\n    league: \(league)") && text.contains(", as here\n"))
    let messages = try await world.ferry(
      "explain", "--json", "--class", "Game", "--id", game.objectID
    ).messages
    let remote = try #require(messages.first { $0["message_type"] as? String == "remote" })
    #expect(remote["answer"] as? String == "shown")
    #expect(remote["differing"] as? [String] == ["score", "title"])
    #expect((remote["values"] as? [String: Any])?["score"] as? Int == 99)
    #expect(remote["version"] as? String != game.version?.rawValue)
  }

  @Test func `explain says why the server shows no values`() async throws {
    let (world, game) = try await synced()
    func explain(_ id: String) async throws -> String {
      let result = try await world.ferry("explain", "--class", "Game", "--id", id)
      #expect(result.code == 0, "\(result.errors)")
      return result.output
    }
    let new = try await world.store().write { try $0.insert("Game", ["title": "New"]) }
    #expect(
      try await explain("#\(new.localID)").contains("The server shows no such record yet.\n"))
    try world.server.withBackend { backend throws(LoopbackError) in
      try backend.delete("Game", game.objectID)
    }
    let gone = try await explain(game.objectID)
    #expect(gone.contains("The server shows no such record. It is gone"))
    #expect(gone.contains("The next sync:\n    delete-missing: removed"), "\(gone)")
    try world.server.withBackend { backend throws(LoopbackError) in
      try backend.setPermissions(of: "Game", ["find": [:], "get": [:]])
    }
    let closed = try await explain(game.objectID)
    #expect(closed.contains("The server refused the request (code 119"), "\(closed)")
  }

  @Test func `explain tells a record that was just created from one that the server lacks`()
    async throws
  {
    let (world, _) = try await synced()
    let new = try await world.store().write { try $0.insert("Game", ["title": "New"]) }
    func firstLine() async throws -> Substring? {
      let explanation = try await world.ferry(
        "explain", "--class", "Game", "--id", "#\(new.localID)", "--offline")
      return explanation.output.split(separator: "\n").first
    }
    #expect(try await firstLine()?.hasSuffix(", not on the server yet") == true)
    #expect(try await world.ferry("sync").code == 0)
    #expect(try await firstLine()?.hasSuffix(", version not yet downloaded") == true)
  }

  @Test func `explain needs no server, and does not wait long for one`() async throws {
    let (world, game) = try await synced()
    let arguments = ["explain", "--class", "Game", "--id", "\(game.localID)"]
    func explain(_ more: String...) async throws -> FerryProcess.Result {
      try await FerryProcess(arguments + more, in: world.folder.url).result()
    }
    world.server.stop()
    let unreachable = try await explain()
    #expect(unreachable.code == 0, "\(unreachable.errors)")
    #expect(
      unreachable.output.contains(
        "Nothing is unsent.\nThe server was not reached, so its values and what the next sync does are "
          + "not known. "))
    #expect(!unreachable.output.contains("The next sync"))
    let answers = try await explain("--json").messages
    #expect(answers.map { $0["answer"] as? String } == [nil, "unreachable", nil])
    #expect(answers.last?["actions"] == nil)
    let offline = try await explain("--offline")
    #expect(offline.code == 0)
    #expect(
      offline.output.hasSuffix(
        "Nothing is unsent.\nThe server was not asked, so its values and what the next sync does are not "
          + "known.\n"))
    #expect(
      try await explain("--offline", "--json").messages[1]["answer"] as? String == "not-asked")
  }
}
