// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryEngine
import FerryModel
import FerryParse
import FerryPlanning
import FerryStore
import Foundation
import LoopbackParse
import Testing

@testable import FerryTool

/// The article about the JSON output, compared with the output itself.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct JSONOutputTests {
  @Test func `each command prints the documented members, and no others`() async throws {
    let documentation = try JSONDocumentation()
    var faults: [String] = []
    var seen: Set<String> = []
    for (command, line) in try await printed() + events() {
      let value = try JSONReader().read(Data(line.utf8)) { try Value($0) }
      guard case .object(let message) = value, case .string(let type)? = message["message_type"]
      else {
        Issue.record("A line without a type: \(line)")
        continue
      }
      let name = type == "summary" ? Self.summaries[command] ?? type : type
      faults += documentation.faults(of: message, as: name, seen: &seen)
    }
    #expect(faults == [])
    let documented = documentation.messages.flatMap { name, members in
      members.keys.map { "\(name): \($0)" }
    }
    #expect(documented.filter { !seen.contains($0) }.sorted() == [], "never printed")
  }

  private static let summaries = [
    "explain": "summary of an explanation", "plan": "summary of a run", "sync": "summary of a run",
    "outbox": "summary of an outbox",
    "conflicts": "summary of conflicts", "staging": "summary of a staging folder",
    "history": "summary of a history", "quarantine": "summary of a quarantine",
    "files": "summary of files", "import": "summary of an import",
  ]

  /// Messages that need a server in trouble, or a field whose type nothing shows.
  private func events() -> [(String, String)] {
    let events: [SyncEvent] = [
      .started, .retrying(reason: "No answer.", after: .seconds(1.5)), .waiting(seconds: 5.25),
      .progress(SyncProgress(stage: .download, className: "Game", done: 1, expected: 2)),
      .initialSyncCompleted(className: "Game"),
      .notice(
        SyncNotice(
          .parked, className: "Game", localID: LocalID(rawValue: 1), objectID: "g1", "It is parked."
        )),
    ]
    var survey = ClassSurvey.Result(source: .sample, entities: [Entity("Game", fields: [])])
    survey.untyped = [ClassSurvey.Result.UntypedField(className: "Game", field: "nothing")]
    var pausing = OutboxEntry(
      className: "Game", localID: LocalID(rawValue: 1), objectID: "g1", kind: .update,
      foldedThrough: .start)
    _ = pausing.wait(in: .blocked(by: .backOff(until: Timestamp(milliseconds: 0))))
    let pauses = PendingChange(pausing).map {
      ("outbox", OutboxLine(change: $0).jsonWithValues.line)
    }
    return events.compactMap { JSONMessage($0) }.map { ("sync", $0.line) }
      + [pauses].compactMap(\.self) + restorations()
      + [("init", survey.json(file: "ferry.json").line)]
      + [("watch", JSONMessage(failureOfSync: SyncError(.tryAgain, "Later.")).line)]
  }

  /// A conflict record that was restored, and one that stayed.
  private func restorations() -> [(String, String)] {
    let row = RecordReference(className: "Game", localID: LocalID(rawValue: 1), objectID: "g1")
    let conflict = ConflictRecord(
      id: 1, time: Timestamp(milliseconds: 0), record: row, reason: .remoteWon,
      lost: ["title": "Mine"])
    let results: [Result<RecordReference, StoreError>] = [
      .success(row), .failure(.noSuchRecord("Game", row.localID)),
    ]
    return results.map { result in
      let restoration = ConflictRestoration(conflict: conflict, result: result)
      return ("conflicts", RestorationText(restoration: restoration).json.line)
    }
  }

  /// The lines that each command prints in a folder in which much is left.
  private func printed() async throws -> [(String, String)] {
    var lines: [(String, String)] = []
    var configuration = LoopbackConfiguration()
    configuration.allowCustomObjectId = true
    let world = try ToolWorld(configuration)
    func run(_ arguments: String...) async throws { try await run(arguments) }
    func run(_ arguments: [String]) async throws {
      let result = try await FerryProcess(arguments + ["--json"], in: world.folder.url).result()
      #expect(!result.output.isEmpty, "\(arguments): \(result.errors)")
      lines += result.output.split(separator: "\n").map { (arguments[0], String($0)) }
    }
    try await run("status")
    try await run("undo")
    try await fill(world)
    try await run(
      "init", "--server", world.server.url, "--application-id", "app1", "--class", "Game", "League",
      "--directory", "new")
    try world.configure(classes: Self.classes)
    try await run("status")
    try await run("sync", "--only", "download")
    try await run("staging")
    try await run("sync")
    try await edit(world)
    try await world.store().write { try $0.setToken(.start, ofReader: "index") }
    try await run("outbox")
    let unsent = try await world.store().inspect { try $0.pendingChanges(of: "Game") }
    let update = try #require(unsent.first { $0.kind == .update })
    try await run("outbox", "show", "--class", "Game", "--id", "\(update.localID)")
    try await run("explain", "--class", "Game", "--id", "\(update.localID)")
    try await run("sync", "--only", "download")
    try await run("plan")
    try await run("verify")
    try await run("sync")
    try await run("outbox")
    try await run("status")
    try await run("conflicts")
    try await run("conflicts", "show", "1")
    try await run("conflicts", "seen", "1")
    try await run("quarantine")
    try await run("explain", "--class", "Game", "--id", "\(update.localID)")
    for record in try await world.store().read({ try $0.quarantine(of: nil) }).prefix(1) {
      for command in [["explain"], ["quarantine", "show"]] {
        try await run(command + ["--class", record.className, "--id", record.objectID])
      }
    }
    let parked = try await world.store().inspect { try $0.pendingChanges() }
    for change in parked where change.reason != nil {
      try await run("explain", "--class", change.className, "--id", "#\(change.localID)")
    }
    try await run("history")
    try await run("quarantine", "retry", "--all")
    try await run("outbox", "retry", "--all")
    try await run("outbox", "counted", "--all")
    try await run("outbox", "discard", "--all", "--class", "Note")
    let game = try #require(
      try await world.store().read { try $0.records(of: "Game", limit: 2).last })
    let token = try await world.store().write { db in
      try db.update(game.reference, ["title": "Mine", "score": 98])
      return try db.lastToken()
    }
    try await world.store().write { try $0.update(game.reference, ["score": 99]) }
    try await run("undo", "--token", "\(token.rawValue)")
    try world.configure(classes: #"{ "Game": { "fields": { "title": { "type": "String" } } } }"#)
    for command in ["status", "outbox", "verify"] { try await run(command) }
    try await run("restore", "1")
    try await run("conflicts", "restore", "--run", "1")
    try world.folder.write("mk", to: "key")
    try world.configure(extra: #""masterKeyFile": "key","#)
    try await run("doctor", "--write")
    try await run("generate", "swift")
    try await run("generate", "swift", "--out", world.path("Rows.swift"))
    try await run("help", "sync")
    try await run("completions", "bash")
    try await run("version")
    try world.configure()
    try world.folder.write("secret", to: "password")
    try await run(
      "login", "anna", "--password-file", world.path("password"), "--sign-up", "--email",
      "anna@example.com")
    try await run("whoami")
    try await run("logout")
    return lines + (try await files()) + (try await imported())
  }

  /// The lines about an import that leaves objects and a field out.
  private func imported() async throws -> [(String, String)] {
    let world = try ToolWorld()
    try world.configure()
    let stamps =
      #""createdAt": "2026-01-01T00:00:00.000Z", "updatedAt": "2026-01-01T00:00:00.000Z""#
    try world.folder.write(
      #"{"results":[{"objectId":"a","title":"A","other":1,\#(stamps)},{"objectId":"b","title":2,\#(stamps)}]}"#,
      to: "Game.json")
    let result = try await world.ferry("import", "--from", "json", "Game.json", "--json")
    #expect(result.code == 3, "\(result.errors)")
    return result.output.split(separator: "\n").map { ("import", String($0)) }
  }

  /// The lines about a file that is fetched and removed, and about a new one.
  private func files() async throws -> [(String, String)] {
    let world = try ToolWorld()
    try world.configure(
      classes:
        #"{ "Photo": { "fields": { "image": { "type": "File", "replacedFiles": "delete" } } } }"#)
    let upload = LoopbackRequest(
      "POST", "/parse/files/a.txt",
      headers: ["X-Parse-Application-Id": "app1", "Content-Type": "text/plain"], body: [1])
    let name = world.server.withBackend { $0.answer(upload) }.json?["name"] ?? .null
    try world.server.withBackend { backend throws(LoopbackError) in
      _ = try backend.create("Photo", ["image": ["__type": "File", "name": name, "url": "x"]])
    }
    try await world.ferry("sync")
    var lines: [(String, String)] = []
    try world.folder.write("new", to: "new.txt")
    for arguments in [
      ["files", "get", "--class", "Photo", "--id", "1", "--out", "copy"], ["files", "list"],
      ["files", "prune", "0"], ["files", "put", "new.txt", "--class", "Photo", "--id", "1"],
      ["files", "list"], ["outbox"], ["sync"],
      // The second file replaces the first one, which stays for a week.
      ["files", "put", "copy", "--class", "Photo", "--id", "1"], ["sync"], ["files", "list"],
      ["verify", "--files"],
    ] {
      let result = try await FerryProcess(arguments + ["--json"], in: world.folder.url).result()
      #expect(result.code == 0, "\(arguments): \(result.output)")
      lines += result.output.split(separator: "\n").map { (arguments[0], String($0)) }
    }
    return lines
  }

  private static let classes = """
    { "League": { "fields": { "name": { "type": "String" } } },
      "Game": { "fields": { "title": { "type": "String" }, "score": { "type": "Number" },
        "league": { "type": "Pointer", "targetClass": "League" } } },
      "Note": { "fields": { "size": { "type": "Number" } } } }
    """

  private func fill(_ world: ToolWorld) async throws {
    try world.fill(games: 40)
    try world.server.withBackend { backend throws(LoopbackError) in
      _ = try backend.create("Note", ["size": "many"])
      _ = try backend.create("Game", ["title": "Odd", "nothing": .null])
    }
  }

  /// A conflict, an unsent edit that the server refuses, and many deletes on both sides.
  ///
  /// No game has these scores, so both fields of the first game differ, whichever game that is.
  private func edit(_ world: ToolWorld) async throws {
    let store = try world.store()
    let games = try await store.read { try $0.records(of: "Game") }
    try await store.write { db in
      try db.update(games[0].reference, ["title": "Mine", "score": 700])
      _ = try db.insert("Note", ["size": 1])
      for game in games[8..<20] { try db.delete(game.reference) }
      try db.insert("Game", ["title": "New"])
    }
    try world.server.withBackend { backend throws(LoopbackError) in
      _ = try backend.update("Game", games[0].objectID, ["title": "Theirs", "score": 800])
      _ = try backend.update("Game", games[1].objectID, ["title": "Changed"])
      for game in games[20...] { try backend.delete("Game", game.objectID) }
    }
  }
}
