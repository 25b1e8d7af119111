// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import FerryTestSupport
import Foundation
import LoopbackParse
import Testing

/// The commands that only read, on a server that does not answer.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct ReadingProcessTests {
  @Test(arguments: ["plan", "verify", "doctor"])
  func `a silent server is told, and Ctrl-C says that nothing was changed`(
    command: String
  ) async throws {
    let world = try ToolWorld()
    try world.configure()
    world.server.setFault { _ in .slowAnswer(.seconds(50)) }
    let process = try world.start(command)
    #expect(await eventually { process.errors.contains("The server has not answered for 5.") })
    process.send(SIGINT)
    let result = await process.result()
    #expect(result.code == 130)
    #expect(result.errors.contains("ferry \(command) was stopped. It only reads"))
    #expect(!result.errors.contains("carried it out"))
  }

  @Test(arguments: ["plan", "sync", "verify", "doctor"])
  func `a time-out outside its range is answered with the range`(command: String) async throws {
    let world = try ToolWorld()
    try world.configure()
    for value in ["0", "0.5", "86401", "soon"] {
      let result = try await world.ferry(command, "--timeout", value)
      #expect(result.code == 64)
      #expect(result.errors.contains("takes a number of seconds from 1 to 86400"))
    }
    #expect(world.server.requestCount == 0)
  }

  @Test func `an empty file counts as no store in every command`() async throws {
    let world = try ToolWorld()
    try world.fill()
    try world.configure()
    try world.folder.write("", to: "store.sqlite")
    let status = try await world.ferry("status")
    #expect(status.output.contains("store.sqlite has 0 bytes and counts as a new store"))
    for command in ["outbox", "conflicts", "history", "plan", "verify", "doctor"] {
      let result = try await world.ferry(command)
      #expect([0, 2].contains(result.code), "\(command): \(result.errors)")
      let store = try Data(contentsOf: world.folder.url.appending(path: "store.sqlite"))
      #expect(store.isEmpty, "\(command)")
      #expect(result.errors.contains("has 0 bytes") == ["plan", "verify"].contains(command))
    }
    let sync = try await world.ferry("sync")
    #expect(sync.code == 0 && sync.errors.contains("has 0 bytes and counts as a new store"))
    #expect(try await world.ferry("verify").code == 0)
  }

  @Test func `classes may be separated by commas or blanks`() async throws {
    let world = try ToolWorld()
    try world.fill()
    try world.configure()
    _ = try await world.ferry("sync")
    for command in ["outbox", "history", "conflicts"] {
      let result = try await world.ferry(command, "--class", "Game,League")
      #expect(result.code == 0, "\(result.errors)")
    }
    let wrong = try await world.ferry("outbox", "--class", "Game,Leage")
    #expect(wrong.errors.contains("There is no class \"Leage\". Did you mean League?"))
  }

  @Test func `the next history goes on where the last one ended`() async throws {
    let world = try ToolWorld()
    try world.fill(games: 3)
    try world.configure()
    _ = try await world.ferry("sync")
    let store = try world.store()
    for game in try await store.read({ try $0.records(of: "Game") }) {
      try await store.write { try $0.update(game.reference, ["score": 9]) }
    }
    let whole = try await world.ferry("history", "--json", "--after", "0")
    let end = try #require(whole.lastMessage?["last_token"] as? Int)
    var token = 0
    var count = 0
    while token < end {
      let part = try await world.ferry(
        "history", "--json", "--class", "Game", "--after", "\(token)", "--limit", "1")
      let next = try #require(part.lastMessage?["last_token"] as? Int)
      #expect(next > token)
      token = next
      count += part.lastMessage?["changes"] as? Int ?? 0
    }
    // The import of the games, and three edits.
    #expect(count == 4)
  }

  @Test func `history shows when who changed which value`() async throws {
    let world = try ToolWorld()
    try world.fill(games: 1)
    try world.configure()
    _ = try await world.ferry("sync")
    let store = try world.store()
    let game = try #require(try await store.read { try $0.records(of: "Game") }.first)
    try await store.write { try $0.update(game.reference, ["score": 9]) }
    try await store.write { try $0.delete(game.reference) }
    let text = try await world.ferry("history", "--limit", "2").output
    let score = try #require(game.fields.values["score"])
    #expect(text.contains("\(game.objectID)  update  by app\n    score: 9, before \(score.json)\n"))
    #expect(text.contains("\(game.objectID)  delete  by app\n"))
    #expect(text.contains("    score: before 9\n"))
    let edit = try await world.ferry("history", "--json", "--limit", "2").messages[0]
    #expect(edit["object_id"] as? String == game.objectID)
    #expect((edit["after"] as? [String: Any])?["score"] as? Int == 9)
    #expect((edit["time"] as? String)?.hasSuffix("Z") == true)
    #expect(edit["transaction"] as? Int == edit["token"] as? Int)
    let status = try await world.ferry("status", "--json").lastMessage
    let history = try #require(status?["history"] as? [String: Any])
    #expect((history["changes"] as? Int ?? 0) > 2)
  }

  @Test func `history tells undos, what is undone, and the transaction of a change`() async throws {
    let world = try ToolWorld()
    try world.configure()
    let game = try await world.store().write { db in
      let game = try db.insert("Game", ["title": "new"])
      try db.update(game, ["title": "newer"])
      return game
    }
    let made = try await world.ferry("history", "--json").messages.dropLast()
    let token = try #require(made.last?["token"] as? Int)
    #expect(made.map { $0["transaction"] as? Int } == [token, token])
    #expect(
      made.allSatisfy { $0["is_undone"] as? Bool == false && $0["is_undo"] as? Bool == false })
    _ = try await world.ferry("undo", "--token", "\(token)")
    let text = try await world.ferry("history").output
    #expect(
      text.contains("\(game.objectID)  insert  by app in \(token), undone since\n"), "\(text)")
    #expect(text.contains("\(game.objectID)  update  by app, undone since\n"))
    #expect(text.contains("\(game.objectID)  delete  by app, as an undo\n"))
    let undo = try await world.ferry("history", "--json").messages.dropLast().last
    #expect(undo?["is_undo"] as? Bool == true)
  }

  @Test func `history shows one record, also when it is gone`() async throws {
    let world = try ToolWorld()
    try world.fill(games: 3)
    try world.configure()
    _ = try await world.ferry("sync")
    let store = try world.store()
    let games = try await store.read { try $0.records(of: "Game") }
    for game in games { try await store.write { try $0.update(game.reference, ["score": 9]) } }
    try await store.write { try $0.delete(games[1].reference) }
    _ = try await world.ferry("sync")
    func history(_ id: String, _ more: String...) async throws -> FerryProcess.Result {
      try await FerryProcess(
        ["history", "--json", "--class", "Game", "--id", id] + more, in: world.folder.url
      ).result()
    }
    for id in ["#\(games[1].localID)", "\(games[1].localID)", games[1].objectID] {
      let messages = try await history(id).messages.dropLast()
      #expect(messages.map { $0["kind"] as? String } == ["insert", "update", "delete"])
      #expect(try await history(id, "--limit", "1").messages.first?["kind"] as? String == "delete")
      #expect(try await history(id, "--after", "0", "--limit", "1").messages.count == 2)
    }
    for id in ["#\(games[0].localID)", games[0].objectID] {
      #expect(try await history(id).messages.last?["changes"] as? Int == 2)
    }
    #expect(try await history("nobody").messages.last?["changes"] as? Int == 0)
    #expect(try await world.ferry("history", "--id", "1").code == 64)
  }

  @Test(arguments: ["history", "conflicts"])
  func `a limit outside its range is answered with the range`(command: String) async throws {
    let world = try ToolWorld()
    try world.configure()
    for value in ["0", "-1", "1.5", "all", "1000000001"] {
      let result = try await world.ferry(command, "--limit=\(value)")
      #expect(result.code == 64, "\(value)")
      #expect(
        result.errors.contains("--limit takes a whole number from 1 to 1000000000, not"),
        "\(result.errors)")
    }
    #expect(try await world.ferry(command, "--limit", "1").code == 0)
  }
}
