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
    #expect(quiet.output.hasSuffix("Nothing is unsent.\nThe next sync does nothing with it.\n"))
    try await world.store().write { try $0.update(game.reference, ["title": "Mine"]) }
    let edited = try await world.ferry("explain", "--class", "Game", "--id", game.objectID)
    #expect(edited.output.contains("title: \"Mine\", the server had \(game["title"].json)"))
    #expect(
      edited.output.hasSuffix("The next sync:\n    put-updated: changed on the server title.\n"),
      "\(edited.output)")
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
    let (world, game) = try await synced()
    let stranger = try await world.ferry("explain", "--class", "Game", "--id", "nobody")
    #expect(stranger.code == 0, "\(stranger.errors)")
    #expect(
      stranger.output
        == "Game nobody: no row is here.\nNothing is unsent.\nThe next sync does nothing with it.\n"
    )
    #expect(try await world.ferry("explain", "--class", "Game").code == 64)
    #expect(try await world.ferry("explain", "--class", "Nothing", "--id", "1").code == 64)
    world.server.stop()
    let offline = try await world.ferry(
      "explain", "--class", "Game", "--id", "\(game.localID)", "--timeout", "1")
    #expect(offline.code == 69)
    #expect(offline.output.contains("Nothing is unsent."), "what is here needs no server")
  }
}
