// Ferry: offline-first sync for Parse Server. MIT licence.

import Foundation
import LoopbackParse
import Testing

@testable import FerryTool

/// The commands name the rule of another program that keeps a row as it is.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct ForeignRuleProcessTests {
  @Test(arguments: ["RAISE(IGNORE)", "RAISE(ABORT, 'No game may go')"])
  func `a row that a trigger keeps is listed with the trigger, and its edit waits for it`(
    refusal: String
  ) async throws {
    let world = try ToolWorld()
    try world.fill(games: 2)
    try world.configure()
    #expect(try await world.ferry("sync").code == 0)
    try await world.sql("CREATE TRIGGER kept BEFORE DELETE ON Game BEGIN SELECT \(refusal); END")
    let gone = try #require(world.server.backend.objects(of: "Game").first?["objectId"]?.string)
    try world.server.withBackend { backend throws(LoopbackError) in
      try backend.delete("Game", gone)
    }
    let rule =
      refusal.contains("ABORT") ? "the trigger kept (\"No game may go\")" : "the trigger kept"
    let verify = try await world.ferry("verify")
    let sync = try await world.ferry("sync")
    #expect(sync.code == 3)
    #expect(
      sync.errors.contains(
        "1 record of Game is gone on the server, and \(rule) keeps the row."),
      "\(sync.errors)")
    #expect(sync.output.contains("Left in Game: 1 waiting."), "\(sync.output)")
    let status = try await world.ferry("status")
    #expect(status.output.contains(" \(gone): Kept by \(rule)."), "\(status.output)")
    for result in [verify, try await world.ferry("verify")] {
      #expect(result.code == 2, "\(result.errors)")
      #expect(
        result.output.contains("1 gone on the server, kept here by a rule of another program"),
        "\(result.output)")
      #expect(result.output.contains(" \(gone) (Gone on the server, and \(rule) keeps the row.)"))
      #expect(!result.output.contains("Not everything could be compared"))
    }
    try await world.sql("UPDATE Game SET score = 70 WHERE objectId = '\(gone)'")
    let edited = try await world.ferry("sync")
    #expect(
      edited.code == 3 && edited.output.contains("Left in Game: 1 waiting."), "\(edited.output)")
    let outbox = try await world.ferry("outbox")
    #expect(
      outbox.output.contains(
        "blocked. The record is gone on the server, and \(rule) keeps its row."),
      "\(outbox.output)")
    try await world.sql("DROP TRIGGER kept")
    #expect(try await world.ferry("sync").code == 0)
    #expect(try await world.ferry("status").output.contains("Nothing is unsent."))
  }

  @Test(arguments: ["RAISE(IGNORE)", "RAISE(ABORT, 'closed')", "RAISE(ROLLBACK, 'closed')"])
  func `a create whose row a trigger keeps from its id waits for the trigger`(
    refusal: String
  ) async throws {
    let world = try ToolWorld()
    try world.configure()
    #expect(try await world.ferry("sync").code == 0)
    try await world.sql(
      "CREATE TRIGGER locked BEFORE UPDATE ON Game BEGIN SELECT \(refusal); END")
    try await world.sql("INSERT INTO Game (title) VALUES ('Final')")
    #expect(try await world.ferry("sync").code == 3)
    let rule = refusal.contains("closed") ? "the trigger locked (\"closed\")" : "the trigger locked"
    let outbox = try await world.ferry("outbox")
    #expect(
      outbox.output.contains(
        "blocked. The outcome is known, but \(rule) keeps the row from taking it over."),
      "\(outbox.output)")
    let status = try await world.ferry("status")
    #expect(status.output.contains("\nBlocked: "), "\(status.output)")
    #expect(status.output.contains(rule), "\(status.output)")
    #expect(!status.output.contains("In doubt: "))
    try await world.sql("DROP TRIGGER locked")
    _ = try await world.ferry("sync")
    #expect(try await world.ferry("sync").code == 0)
    #expect(world.server.backend.count(of: "Game") == 1)
  }

  @Test func `a row that a trigger removes is told with the trigger, and its conflict record too`()
    async throws
  {
    let world = try ToolWorld()
    try world.fill(games: 2)
    try world.configure()
    #expect(try await world.ferry("sync").code == 0)
    try await world.sql(
      "CREATE TRIGGER tidy AFTER UPDATE ON Game WHEN EXISTS (SELECT 1 FROM ferry_author)"
        + " BEGIN DELETE FROM Game WHERE title = 'doomed'; END")
    try await world.sql("UPDATE Game SET title = 'doomed' WHERE localId = 1")
    let other = try #require(world.server.backend.objects(of: "Game").last?["objectId"]?.string)
    let update = { (score: Double) in
      try world.server.withBackend { backend throws(LoopbackError) in
        try backend.update("Game", other, ["score": .number(score)])
      }
    }
    try update(70)
    let back = try await world.ferry("sync", "--through", "import")
    #expect(
      back.errors.contains(
        "While the sync wrote, the trigger tidy removed or replaced 1 row of Game."),
      "\(back.errors)")
    try await world.sql(
      "CREATE TRIGGER strict AFTER INSERT ON Game WHEN EXISTS (SELECT 1 FROM ferry_author)"
        + " BEGIN DELETE FROM Game WHERE title = 'doomed'; END")
    try update(71)
    let gone = try await world.ferry("sync", "--through", "import")
    #expect(gone.code == 3)
    #expect(
      gone.errors.contains(
        "As soon as the sync writes 1 row of Game, one of the triggers strict, tidy removes it."),
      "\(gone.errors)")
    let conflicts = try await world.ferry("conflicts")
    #expect(
      conflicts.output.contains(": a trigger of another program removed the row"),
      "\(conflicts.output)")
  }

  @Test func `records that a rule refuses stand under the advice, which is said once`() async throws
  {
    let world = try ToolWorld()
    try world.configure()
    #expect(try await world.ferry("sync").code == 0)
    try await world.sql(
      "CREATE TRIGGER low BEFORE INSERT ON Game BEGIN SELECT RAISE(ABORT, 'too high'); END")
    try world.fill(games: 2)
    let sync = try await world.ferry("sync")
    #expect(
      sync.errors.contains("The store's table refuses 2 records of Game."), "\(sync.errors)")
    let status = try await world.ferry("status")
    #expect(status.output.contains("\nRefused: "), "\(status.output)")
    #expect(!status.output.contains("\nQuarantined: "))
    let lines = status.output.split(separator: "\n").filter { $0.hasPrefix("  Game ") }
    #expect(lines.count == 2)
    #expect(lines.allSatisfy { $0.hasSuffix(": Refused by the trigger low (\"too high\").") })
  }
}
