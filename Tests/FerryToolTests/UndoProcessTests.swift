// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerrySQLite
import FerryStore
import Foundation
import LoopbackParse
import Testing

@Suite(.serialized, .timeLimit(.minutes(10)))
struct UndoProcessTests {
  /// A folder with three synced games, in their order.
  private func synced() async throws -> (ToolWorld, [Record]) {
    let world = try ToolWorld()
    try world.fill()
    try world.configure()
    #expect(try await world.ferry("sync").code == 0)
    return (world, try await world.store().read { try $0.records(of: "Game") })
  }

  private func titles(_ world: ToolWorld) async throws -> [String] {
    try await world.store().read { try $0.records(of: "Game").map { $0["title"].json } }
  }

  @Test func `undo goes one transaction further back with each call`() async throws {
    let (world, games) = try await synced()
    let before = try await titles(world)
    let store = try world.store()
    try await store.write { try $0.update(games[0].reference, ["title": "Mine"]) }
    try await store.write { db in
      try db.delete(games[1].reference)
      try db.insert("Game", ["title": "New"])
    }
    let last = try await world.ferry("undo")
    #expect(last.code == 0, "\(last.errors)")
    let back = "Game #\(games[1].localID) \(games[1].objectID) delete: taken back\n"
    #expect(last.output.contains(back), "\(last.output)")
    #expect(last.output.contains(" insert: taken back\n    title: before \"New\"\n"))
    #expect(last.output.contains("\nTook the transaction "))
    #expect(last.errors.contains("does the transaction again."))
    let first = try await world.ferry("undo")
    #expect(
      first.output.hasPrefix(
        "Game #\(games[0].localID) \(games[0].objectID) update title: taken back\n"
          + "    title: \(games[0]["title"].json), before \"Mine\"\n"), "\(first.output)")
    #expect(try await titles(world) == before)
    #expect(try await world.ferry("outbox").output == "Nothing is unsent.\n")
    let none = try await world.ferry("undo")
    #expect((none.code, none.output) == (0, "There is nothing to undo.\n"))
  }

  @Test func `undo of a token takes that transaction back, and does it again`() async throws {
    let (world, games) = try await synced()
    let store = try world.store()
    for (game, title) in zip(games, ["A", "B"]) {
      try await store.write { db in
        try db.update(game.reference, ["score": 50])
        try db.update(game.reference, ["title": .string(title)])
      }
    }
    let history = try await world.ferry("history", "--json", "--limit", "4").messages
    // The first change of the earlier transaction, which has another one.
    let token = try #require(history.first?["token"] as? Int)
    let undone = try await world.ferry("undo", "--token", "\(token)", "--json")
    #expect(undone.code == 0, "\(undone.errors)")
    #expect(undone.lastMessage?["transaction"] as? Int == token + 1)
    #expect(try await titles(world)[..<2] == [games[0]["title"].json, "\"B\""])
    let undo = try #require(undone.lastMessage?["undo"] as? Int)
    let again = try await world.ferry("undo", "--token", "\(token)")
    #expect(again.code == 64)
    #expect(again.errors.contains("was undone before, so nothing was changed."), "\(again.errors)")
    #expect(try await world.ferry("undo", "--token", "\(undo)").code == 0)
    #expect(try await titles(world)[..<2] == ["\"A\"", "\"B\""])
  }

  @Test func `undo of a token takes back all that plain SQL did between two transactions`()
    async throws
  {
    let (world, games) = try await synced()
    let before = try await titles(world)
    try await world.sql("UPDATE Game SET title = 'Their ' || title")
    let history = try await world.ferry("history", "--json", "--limit", "3").messages
    let token = try #require(history[1]["token"] as? Int)
    let undone = try await world.ferry("undo", "--token", "\(token)", "--json")
    #expect(undone.lastMessage?["taken_back"] as? Int == games.count, "\(undone.output)")
    #expect(try await titles(world) == before)
  }

  @Test func `undo changes nothing where the newest edits were made by plain SQL`() async throws {
    let (world, games) = try await synced()
    try await world.store().write { try $0.update(games[0].reference, ["score": 70]) }
    try await world.sql("UPDATE Game SET title = 'Theirs' WHERE localId = \(games[1].localID)")
    let refused = try await world.ferry("undo")
    #expect(refused.code == 64 && refused.output.isEmpty)
    let found = refused.errors.firstMatch(
      of: /made by SQL.*--token (\d+)" takes them back.*--token (\d+)" takes the older/)
    let (bySQL, older) = try #require(found.map { ($0.1, $0.2) }, "\(refused.errors)")
    #expect(try await world.ferry("undo", "--token", String(bySQL)).code == 0)
    #expect(try await titles(world)[1] == games[1]["title"].json)
    let undone = try await world.ferry("undo", "--token", String(older))
    #expect(undone.code == 0 && undone.output.contains("update score: taken back"))
    try await world.sql("UPDATE Game SET title = 'Theirs' WHERE localId = \(games[1].localID)")
    #expect(try await world.ferry("undo").errors.contains("The newest edits were made by SQL"))
  }

  @Test func `undo leaves what was changed since, and names it`() async throws {
    let (world, games) = try await synced()
    try await world.store().write {
      try $0.update(games[0].reference, ["title": "Mine", "score": 70])
    }
    try await world.sql("UPDATE Game SET title = 'Theirs' WHERE localId = \(games[0].localID)")
    let older = try #require(
      try await world.ferry("undo").errors.firstMatch(of: /--token (\d+)" takes the older/)?.1)
    let undone = try await world.ferry("undo", "--token", String(older))
    #expect(undone.code == 3, "\(undone.errors)")
    let name = "Game #\(games[0].localID) \(games[0].objectID)"
    #expect(
      undone.output.hasPrefix(
        "\(name) update score: taken back\n    score: \(games[0]["score"].json), before 70\n"
          + "\(name) update title: stays, because it was changed since\n"), "\(undone.output)")
    try await world.store().write { try $0.update(games[1].reference, ["title": "Mine"]) }
    try await world.store().write { try $0.delete(games[1].reference) }
    let change = try #require(
      try await world.ferry("history", "--json", "--limit", "2").messages[0]["token"] as? Int)
    let nothing = try await world.ferry("undo", "--token", "\(change)")
    #expect(nothing.code == 3)
    #expect(nothing.output.contains("update title: stays, because the row is gone\nNothing of "))
  }

  @Test func `undo refuses the work of a sync, and unknown tokens`() async throws {
    let world = try ToolWorld()
    try world.fill()
    try world.configure()
    let early = try await world.ferry("undo")
    #expect((early.code, early.output) == (0, "There is nothing to undo.\n"))
    #expect(!FileManager.default.fileExists(atPath: world.path("store.sqlite")))
    #expect(try await world.ferry("undo", "--token", "1").code == 64)
    #expect(try await world.ferry("sync").code == 0)
    let bySync = try await world.ferry("undo", "--token", "1", "--json")
    #expect(bySync.code == 64)
    #expect(bySync.lastMessage?["name"] as? String == "cannot-undo")
    for token in ["0", "-1", "x", "9223372036854775807"] {
      let unknown = try await world.ferry("undo", "--token", token)
      #expect(unknown.code == 64, "\(token)")
      #expect(unknown.errors.contains("Nothing was changed."), "\(token): \(unknown.errors)")
    }
    #expect(try await world.ferry("undo", "1").code == 64)
    #expect(try await world.ferry("outbox").output == "Nothing is unsent.\n")
  }
}
