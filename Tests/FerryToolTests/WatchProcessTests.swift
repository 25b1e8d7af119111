// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryEngine
import FerryStore
import FerryTestSupport
import Foundation
import LoopbackParse
import Testing

@testable import FerryTool

/// `ferry watch`, and the syncs of some classes.
@Suite(.timeLimit(.minutes(10)))
struct WatchProcessTests {
  @Test(arguments: [SIGINT, SIGTERM])
  func `watch sends edits, waits for a server that fails, and ends with a signal`(
    signal: Int32
  ) async throws {
    let world = try ToolWorld()
    try world.fill()
    try world.configure()
    let watching = try world.start("watch", "--json")
    #expect(await eventually { (try? world.rows(of: "Game")) == 3 })
    try await world.sql("INSERT INTO Game (title) VALUES ('mine');")
    #expect(await eventually { world.records(of: "Game").count == 4 })
    world.server.setFault { _ in .respond(LoopbackResponse(status: 401, json: [:])) }
    try await world.sql("UPDATE Game SET title = 'again';")
    #expect(await eventually { watching.errors.contains("tries again by itself") })
    world.server.setFault(nil)
    #expect(
      await eventually { world.records(of: "Game").allSatisfy { $0["title"]?.string == "again" } })
    #expect(await eventually { (try? world.store().inspect { try $0.pendingCounts() }) == [:] })
    watching.send(signal)
    let result = await watching.result()
    #expect(result.code == 0, "\(result.errors)")
    #expect(result.output.contains("\"message_type\":\"sync_failed\""))
    #expect(result.output.contains("\"message_type\":\"summary\""))
    #expect(try await world.ferry("status").output.contains("Nothing is unsent"))
  }

  @Test func `watch ends with a failure that only a person can mend`() async throws {
    let world = try ToolWorld()
    try world.configure()
    try await world.ferry("sync")
    let other = try ToolWorld()
    try world.configure(server: other.server.url)
    let result = try await world.ferry("watch", "--json")
    #expect(result.lastMessage?["name"] as? String == "other-server")
    #expect(result.code == 78)
    #expect(try await world.ferry("watch", "--interval", "0").code == 64)
  }

  @Test func `watch ends when nobody reads its output any more`() async throws {
    let world = try ToolWorld()
    try world.configure()
    let result = try await world.shell(#""$FERRY" watch --interval 1 --json | head -1"#)
    #expect(result.code == 0 && result.output.contains("started"))
  }

  @Test func `sync and plan ask for the classes that --class names`() async throws {
    let world = try ToolWorld()
    try world.fill()
    try world.configure()
    let plan = try await world.ferry("plan", "--class", "League")
    #expect(plan.output.contains("League") && !plan.output.contains("Game"), "\(plan.output)")
    #expect(try await world.ferry("sync", "--class", "League").code == 0)
    #expect(try world.rows(of: "League") == 1)
    #expect(try world.rows(of: "Game") == 0)
    let wrong = try await world.ferry("sync", "--class", "Leage")
    #expect(wrong.code == 64 && wrong.errors.contains("League"), "\(wrong.errors)")
  }
}

extension ToolWorld {
  /// The number of rows in the store.
  fileprivate func rows(of className: String) throws -> Int {
    try store().read { try $0.count(of: className) }
  }
}
