// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerrySQLite
import FerryStore
import FerryTestSupport
import Foundation
import LoopbackParse
import Testing

@Suite(.serialized, .timeLimit(.minutes(10)))
struct ImportProcessTests {
  private let world: ToolWorld

  init() throws {
    world = try ToolWorld()
    try world.configure()
  }

  private static let stamps = [
    "createdAt": "2026-01-01T00:00:00.000Z", "updatedAt": "2026-01-01T00:00:00.000Z",
  ]

  /// A new league and a new game of it, and a class that `ferry.json` does not have.
  private func writeDatastore() throws {
    let file = LocalDatastoreFile()
    let league = try file.pin("League", edits: [LocalDatastoreFile.edits(["name": "North"])])
    try file.pin(
      "Game",
      edits: [
        LocalDatastoreFile.edits(["title": "Final", "league": LocalDatastoreFile.offline(league)])
      ])
    try file.pin("Secret", "s1", Self.stamps)
    try file.write(to: world.folder.url.appending(path: "ParseOfflineStore"))
  }

  private func ferryImport(_ arguments: String...) async throws -> FerryProcess.Result {
    try await FerryProcess(
      ["import", "--from", "parse-ios-lds", "ParseOfflineStore"] + arguments, in: world.folder.url
    ).result()
  }

  @Test func `a datastore is planned, imported and sent, once`() async throws {
    try writeDatastore()
    let planned = try await ferryImport("--dry-run")
    let left =
      "Left out:\n  Secret: 1 object, such as s1. ferry.json does not have the class.\n"
    let rows = "Game: 1 new\nLeague: 1 new\n"
    #expect(planned.code == 3, "\(planned.errors)")
    #expect(planned.output == rows + left + "This was a dry run. Nothing was changed.\n")
    #expect(!FileManager.default.fileExists(atPath: world.path("store.sqlite")))
    let imported = try await ferryImport()
    #expect((imported.code, imported.output) == (3, rows + left))
    let plannedAgain = try await ferryImport("--dry-run")
    #expect(plannedAgain.output.hasPrefix("Game: 1 present before\nLeague: 1 present before\n"))
    #expect(try await world.ferry("outbox").output.contains("Game"))
    #expect(try await world.ferry("sync").code == 0)
    #expect(try await ferryImport().output.hasPrefix("Game: 1 present before\n"))
    #expect(try await world.ferry("sync").code == 0)
    let games = world.records(of: "Game")
    #expect(games.count == 1 && world.records(of: "League").count == 1)
    #expect(games.first?["title"]?.string == "Final")
  }

  @Test func `an export needs no server`() async throws {
    try world.fill()
    let games = world.server.withBackend { backend in
      backend.answer(
        LoopbackRequest(
          "GET", "/parse/classes/Game", headers: ["X-Parse-Application-Id": "app1"]))
    }
    try world.folder.write(try #require(games.json).text, to: "Game.json")
    try world.configure(server: "http://127.0.0.1:1/parse")
    let result = try await world.ferry("import", "--from", "json", "Game.json")
    #expect((result.code, result.output) == (0, "Game: 3 imported\n"), "\(result.errors)")
    #expect(try await world.ferry("outbox").output == "Nothing is unsent.\n")
    try world.configure()
    #expect(try await world.ferry("sync").code == 0)
    #expect(try await world.store().read { try $0.count(of: "Game") } == 3)
  }

  @Test func `files that cannot be read have an exit code`() async throws {
    try world.folder.write("{\"results\":[{", to: "Game.json")
    try world.folder.write("no database, but a text that is long enough", to: "ParseOfflineStore")
    let json = try await world.ferry("import", "--from", "json", "Game.json", "--json")
    #expect(json.code == 65 && json.output.contains("\"name\":\"source-damaged\""))
    #expect(try await ferryImport().code == 65)
    let none = try await world.ferry("import", "--from", "json", "None.json", "--json")
    #expect(none.code == 74 && none.output.contains("\"name\":\"source-not-accessible\""))
    for arguments in [
      ["import", "Game.json"], ["import", "--from", "json"], ["import", "--from", "core", "x"],
      ["import", "--from", "parse-ios-lds", "a", "b"],
    ] {
      #expect(try await FerryProcess(arguments, in: world.folder.url).result().code == 64)
    }
  }
}
