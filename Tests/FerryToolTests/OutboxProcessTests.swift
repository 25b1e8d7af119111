// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerrySQLite
import FerryStore
import Foundation
import LoopbackParse
import Synchronization
import Testing

@testable import FerryTool

@Suite(.serialized, .timeLimit(.minutes(10)))
struct OutboxProcessTests {
  /// A folder whose store has a new game, an edited one and a deleted one.
  private func edited(
    _ configuration: LoopbackConfiguration = LoopbackConfiguration()
  ) async throws -> (ToolWorld, [Record], RecordReference) {
    let world = try ToolWorld(configuration)
    try world.fill()
    try world.configure()
    #expect(try await world.ferry("sync").code == 0)
    let games = try await world.store().read { try $0.records(of: "Game") }
    let new = try await world.store().write { db in
      try db.update(games[0].reference, ["title": "Mine"])
      try db.delete(games[1].reference)
      return try db.insert("Game", ["title": "New"])
    }
    return (world, games, new)
  }

  @Test func `outbox show tells the values on both sides`() async throws {
    let (world, games, _) = try await edited()
    let title = games[0]["title"].json
    for id in ["\(games[0].localID)", "#\(games[0].localID)", games[0].objectID] {
      let shown = try await world.ferry("outbox", "show", "--class", "Game", "--id", id)
      #expect(shown.code == 0, "\(shown.errors)")
      #expect(
        shown.output
          == "Game #\(games[0].localID) \(games[0].objectID) update title: ready\n"
          + "    title: \"Mine\", the server had \(title)\n")
    }
    let stranger = try await world.ferry("outbox", "show", "--class", "Game", "--id", "999")
    #expect(stranger.code == 64)
    #expect(stranger.errors.contains("no unsent change of a record"))
    #expect(try await world.ferry("outbox", "show", "--class", "Game").code == 64)
    #expect(try await world.ferry("outbox", "discard", "--class", "Game").code == 64)
    #expect(try await world.ferry("outbox", "list", "--all").code == 64)
    #expect(try await world.ferry("outbox", "forget").code == 64)
  }

  @Test func `outbox discard takes back one change, and all of them`() async throws {
    let (world, games, new) = try await edited()
    let one = try await world.ferry(
      "outbox", "discard", "--class", "Game", "--id", "\(new.localID)")
    #expect(one.code == 0, "\(one.errors)")
    #expect(one.output.hasPrefix("Discarded 1 change. "))
    let others = try await world.ferry("outbox", "discard", "--all", "--class", "Game")
    #expect(others.output.hasPrefix("Discarded 2 changes. "))
    #expect(
      try await world.ferry("outbox", "discard", "--all").output
        .hasPrefix("Nothing was discarded: there is no unsent change"))
    #expect(try await world.ferry("outbox").output == "Nothing is unsent.\n")
    let rows = try await world.store().read { try $0.records(of: "Game") }
    #expect(rows.map(\.fields) == games.map(\.fields))
    #expect(rows.map(\.localID) == games.map(\.localID))
  }

  @Test func `outbox counted changes nothing but additions of unknown outcome`() async throws {
    let (world, games, _) = try await edited()
    let before = try await world.ferry("outbox").output
    for action in ["counted", "not-counted"] {
      let none = try await world.ferry("outbox", action, "--all")
      #expect(none.code == 0, "\(none.errors)")
      #expect(none.output.hasPrefix("No such change of a number waits for this decision"))
      let one = try await world.ferry(
        "outbox", action, "--class", "Game", "--id", "\(games[0].localID)")
      #expect(one.code == 64 && one.errors.contains("No such change of a number"))
      #expect(try await world.ferry("outbox", action).code == 64)
    }
    #expect(try await world.ferry("outbox").output == before)
  }

  @Test func `outbox retry sends a parked change again`() async throws {
    let isStrict = Mutex(true)
    var configuration = LoopbackConfiguration()
    configuration.triggers["Game"] = LoopbackTriggers(beforeSave: { save in
      guard save.changes["title"] != "Mine" || !isStrict.withLock({ $0 }) else {
        throw LoopbackError(code: 142, message: "Not this title.")
      }
    })
    let (world, _, _) = try await edited(configuration)
    _ = try await world.ferry("sync")
    #expect(try await world.ferry("outbox").output.contains("Not this title."))
    isStrict.withLock { $0 = false }
    let retried = try await world.ferry("outbox", "retry", "--all")
    #expect(retried.output.hasPrefix("The next sync sends "), "\(retried.errors)")
    #expect(try await world.ferry("sync").code == 0)
    #expect(try await world.ferry("outbox").output == "Nothing is unsent.\n")
    let none = try await world.ferry("outbox", "retry", "--all", "--class", "Game")
    #expect(none.output.hasPrefix("No such change is parked"))
  }
}
