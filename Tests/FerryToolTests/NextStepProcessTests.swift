// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryTestSupport
import Foundation
import LoopbackParse
import Testing

/// The messages of the tool when something stands in the way, and the next steps that they name.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct NextStepProcessTests {
  /// A folder whose rows are those of the server.
  private func syncedWorld(games: Int = 3) async throws -> ToolWorld {
    let world = try ToolWorld()
    try world.fill(games: games)
    try world.configure()
    #expect(try await world.ferry("sync").code == 0)
    return world
  }

  private func sql(_ statement: String, in world: ToolWorld) async throws -> String {
    let result = try await FerryProcess(
      program: URL(filePath: "/usr/bin/env"), ["sqlite3", "store.sqlite", statement],
      in: world.folder.url
    ).result()
    #expect(result.code == 0, "\(result.errors)")
    return result.output.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  private static let rated = """
    { "Game": { "fields": { "title": { "type": "String" }, "score": { "type": "Number" },
      "rating": { "type": "Number" } } } }
    """

  @Test(arguments: ["init", "sync", "doctor"])
  func `a silent server is given up after the seconds of the flag, and the message names both`(
    command: String
  ) async throws {
    let world = try ToolWorld()
    try world.configure()
    world.server.setFault { _ in .slowAnswer(.seconds(30)) }
    let arguments =
      command == "init"
      ? [
        "init", "--force", "--server", world.server.url, "--application-id", "app1", "--class",
        "Game",
      ] : [command]
    // A sync tries again, so it is stopped.
    let process = try FerryProcess(arguments + ["--timeout", "1"], in: world.folder.url)
    if command == "sync" {
      #expect(await eventually { process.errors.contains("was silent for 1 s, so Ferry gave up.") })
      process.send(SIGINT)
      _ = await process.result()
      return
    }
    let result = await process.result()
    #expect(result.code == 75, "\(result.errors)")
    let text = result.errors + result.output.replacing("\n                      ", with: " ")
    #expect(text.contains("was silent for 1 s, so Ferry gave up."), "\(text)")
    if command == "init" { #expect(text.contains("To wait longer: --timeout SECONDS"), "\(text)") }
  }

  @Test func `retries say their reason once`() async throws {
    let world = try ToolWorld()
    try world.configure(server: "http://127.0.0.1:1/parse")
    let process = try world.start("sync")
    #expect(
      await eventually { process.errors.components(separatedBy: "Trying again in").count > 3 })
    process.send(SIGINT)
    let errors = await process.result().errors
    let lines = errors.split(separator: "\n")
    #expect(lines.count { $0.contains("Nothing accepts a connection") } == 1, "\(errors)")
    #expect(!errors.contains("Check the address"), "\(errors)")
  }

  @Test func `a parked change is sent again after its value was set and set back`() async throws {
    let world = try ToolWorld()
    try world.server.withBackend { backend throws(LoopbackError) in
      _ = try backend.create("Note", ["size": "many"])
    }
    try world.configure(classes: #"{ "Note": { "fields": { "size": { "type": "Number" } } } }"#)
    #expect(try await world.ferry("sync").code == 3)
    _ = try await sql("INSERT INTO Note (size) VALUES (1)", in: world)
    #expect(try await world.ferry("sync").code == 3)
    #expect(try await world.ferry("outbox").output.contains("create size: parked"))
    let advice = "Setting a value and setting it back is an edit; setting the same value is not."
    let words = try await world.ferry("status").output.split(whereSeparator: \.isWhitespace)
    #expect(words.joined(separator: " ").contains(advice))
    _ = try await sql("UPDATE Note SET size = size", in: world)
    #expect(try await world.ferry("outbox").output.contains("create size: parked"))
    _ = try await sql("UPDATE Note SET size = 2; UPDATE Note SET size = 1", in: world)
    #expect(try await world.ferry("outbox").output.contains("create size: ready"))
  }

  @Test func `a dropped table is told with what can be done, by every command`() async throws {
    let world = try await syncedWorld()
    _ = try await sql("DROP TABLE Game", in: world)
    for command in ["status", "plan", "sync", "outbox", "verify", "doctor"] {
      let result = try await world.ferry(command)
      #expect(result.code == 74, "\(command): \(result.errors)")
      let text = (result.errors + result.output).split(whereSeparator: \.isWhitespace)
        .joined(separator: " ")
      #expect(text.contains("lost the table Game of the class Game"), "\(command): \(text)")
      #expect(text.contains("put a copy of the store in place"), "\(command): \(text)")
    }
    for name in try FileManager.default.contentsOfDirectory(atPath: world.folder.path)
    where name.hasPrefix("store.sqlite") {
      try FileManager.default.moveItem(atPath: world.path(name), toPath: world.path("old-\(name)"))
    }
    #expect(try await world.ferry("sync").code == 0)
    #expect(try await sql("SELECT count(*) FROM Game", in: world) == "3")
  }

  @Test func `a column that was added by hand is used if it is empty and of the field's type`()
    async throws
  {
    let world = try await syncedWorld()
    _ = try await sql("ALTER TABLE Game ADD COLUMN rating REAL", in: world)
    try world.configure(classes: Self.rated)
    #expect(try await world.ferry("sync").code == 0)
    _ = try await sql("UPDATE Game SET rating = 4.5", in: world)
    #expect(try await world.ferry("sync").code == 0)
    let ratings = world.server.backend.objects(of: "Game").map { $0["rating"] }
    #expect(ratings.count == 3 && ratings.allSatisfy { $0 == .number(4.5) })
  }

  @Test(arguments: [
    ("rating REAL DEFAULT 1", "", "is not the column"),
    ("rating TEXT", "", "is not the column"),
    ("RATING REAL", "", "is not the column"),
    ("rating REAL NOT NULL DEFAULT 1", "", "is not the column"),
    ("rating REAL AS (score) VIRTUAL", "", "is not the column"),
    ("rating REAL", "UPDATE Game SET rating = 4.5", "holds values that Ferry has not seen"),
  ])
  func `any other column of that name is refused, and renaming it lets its values be sent`(
    definition: String, filling: String, fault: String
  ) async throws {
    let world = try await syncedWorld()
    _ = try await sql("ALTER TABLE Game ADD COLUMN \(definition); \(filling)", in: world)
    try world.configure(classes: Self.rated)
    for command in ["status", "plan", "sync", "doctor"] {
      let result = try await world.ferry(command)
      #expect(result.code == 78, "\(command): \(result.errors)")
      let text = (result.errors + result.output).split(whereSeparator: \.isWhitespace)
        .joined(separator: " ")
      #expect(text.contains(fault), "\(command): \(text)")
      #expect(
        text.contains(#"ALTER TABLE "Game" RENAME COLUMN "rating" TO "ratingOld""#), "\(text)")
    }
    _ = try await sql("ALTER TABLE Game RENAME COLUMN rating TO ratingOld", in: world)
    #expect(try await world.ferry("sync").code == 0)
    guard !filling.isEmpty else { return }
    _ = try await sql("UPDATE Game SET rating = ratingOld", in: world)
    #expect(try await world.ferry("sync").code == 0)
    #expect(world.server.backend.objects(of: "Game").allSatisfy { $0["rating"] == .number(4.5) })
  }

  @Test func `a manifest that cannot be read fails its class, and a download mends it`()
    async throws
  {
    let world = try await syncedWorld()
    let complete = ["sync", "--only", "download", "--compare", "everything"]
    _ = try await FerryProcess(complete, in: world.folder.url).result()
    try world.folder.write("garbage{\n", to: "staging/Game/manifest.jsonl")
    for command in ["plan", "sync"] {
      let result = try await world.ferry(command, "--only", "import")
      #expect(result.code == 3, "\(command): \(result.output)")
      #expect(result.errors.contains("The staged pages of Game cannot be imported"))
      #expect(result.errors.contains("Game/manifest.jsonl is not as a download wrote it"))
      #expect(result.errors.contains("Download the class again"))
    }
    let next = try await world.ferry("sync")
    #expect(next.code == 0, "\(next.errors)")
  }

  @Test func `status says what to do about a quarantined record, once`() async throws {
    let world = try ToolWorld()
    try world.fill()
    try world.server.withBackend { backend throws(LoopbackError) in
      _ = try backend.create("Note", ["size": "many"])
      _ = try backend.create("Note", ["size": "few"])
    }
    try world.configure(
      classes: #"{ "Note": { "fields": { "size": { "type": "Number" } } } }"#)
    #expect(try await world.ferry("sync").code == 3)
    let status = try await world.ferry("status").output
    #expect(status.components(separatedBy: "Correct it on the server").count == 2, "\(status)")
    #expect(status.contains("the next sync tries it again"))
  }

  @Test func `rows that are gone on both sides are held back no longer`() async throws {
    let world = try await syncedWorld(games: 40)
    let ids = world.server.backend.objects(of: "Game").compactMap { $0["objectId"]?.string }
    try world.server.withBackend { backend throws(LoopbackError) in
      for id in ids.prefix(30) { try backend.delete("Game", id) }
    }
    #expect(try await world.ferry("sync").code == 25)
    _ = try await sql("DELETE FROM Game", in: world)
    for command in ["status", "plan", "sync", "status"] {
      let result = try await world.ferry(command)
      #expect(!(result.output + result.errors).contains("of 0"), "\(result.output)")
      #expect(!result.output.contains("Game-local-"), "\(command): \(result.output)")
      // Only the deletes of the others wait.
      let isHeld = result.output.contains("All 10 Game would be deleted on the server")
      #expect(isHeld || command == "status", "\(command): \(result.output)")
    }
  }

  @Test func `warnings begin with their word, and COLUMNS holds for a pipe`() async throws {
    let world = try ToolWorld()
    try world.fill()
    try world.folder.write("mk\n", to: "master.key")
    chmod(world.path("master.key"), 0o644)
    try world.configure(extra: #""masterKeyFile": "master.key","#)
    let sync = try await world.ferry("sync")
    #expect(sync.errors.hasPrefix("Warning: Other users of this machine can read the master key"))
    let narrow = try await world.ferry("status", environment: ["COLUMNS": "30"])
    #expect(narrow.output.contains("\n  last listing: "), "\(narrow.output)")
  }
}
