// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryParse
import FerryPlanning
import FerrySQLite
import FerryStore
import FerryTestSupport
import Foundation
import LoopbackParse
import Testing

@testable import FerryTool

@Suite(.serialized, .timeLimit(.minutes(10)))
struct SyncProcessTests {
  private func counts(_ result: FerryProcess.Result, of className: String) -> [String: Int] {
    (result.lastMessage?["classes"] as? [String: [String: Int]])?[className] ?? [:]
  }

  @Test
  func `ferry sync does what ferry plan shows and then has nothing left to do`() async throws {
    let world = try ToolWorld()
    try world.fill(games: 25)
    try world.configure()
    let plan = try await world.ferry("plan", "--exit-code")
    #expect(plan.code == 2)
    #expect(plan.output.contains("Game: 25 inserts"))
    #expect(plan.output.hasSuffix("Here: 26 inserts.\n"))
    let left = try FileManager.default.contentsOfDirectory(atPath: world.folder.path)
    #expect(left == ["ferry.json"])
    let sync = try await world.ferry("sync", "--json")
    #expect(sync.code == 0, "\(sync.errors)")
    #expect(sync.lastMessage?["message_type"] as? String == "summary")
    #expect(sync.lastMessage?["outcome"] as? String == "complete")
    #expect(counts(sync, of: "Game")["imported"] == 25)
    #expect(counts(sync, of: "League")["imported"] == 1)
    #expect((sync.lastMessage?["stages"] as? [[String: Any]])?.count == 6)
    for line in sync.output.split(separator: "\n") {
      let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      #expect(object?["message_type"] is String)
    }
    let again = try await world.ferry("plan", "--exit-code")
    #expect(again.code == 0)
    #expect(again.output == "Nothing to do.\n")
    let status = try await world.ferry("status")
    #expect(status.output.contains("Nothing is unsent."))
    #expect(!status.output.contains("first sync not complete"))
    #expect(try await world.ferry("history").output.contains("insert  by sync"))
  }

  @Test func `ferry sync downloads and imports in separate runs`() async throws {
    let world = try ToolWorld()
    try world.fill()
    try world.configure()
    let download = try await world.ferry("sync", "--through", "download")
    #expect(download.code == 0, "\(download.errors)")
    let staging = try await world.ferry("staging")
    #expect(staging.output.contains("Game: "))
    #expect(staging.output.contains("page-000001.json"))
    #expect(staging.output.contains("complete"))
    let page = world.folder.url.appending(path: "staging/Game/page-000001.json")
    #expect(try JSONSerialization.jsonObject(with: Data(contentsOf: page)) is [String: Any])
    #expect(try await world.store().read { try $0.count(of: "Game") } == 0)
    let requests = world.server.requestCount
    let imported = try await world.ferry("sync", "--only", "import", "--json")
    #expect(imported.code == 0, "\(imported.errors)")
    #expect(counts(imported, of: "Game")["imported"] == 3)
    #expect(world.server.requestCount == requests)
    #expect(try await world.store().read { try $0.count(of: "Game") } == 3)
  }

  @Test func `ferry sync shows, plans and sends unsent changes`() async throws {
    let world = try ToolWorld()
    try world.fill()
    try world.configure()
    #expect(try await world.ferry("sync").code == 0)
    let store = try world.store()
    let games = try await store.read { try $0.records(of: "Game") }
    try #require(games.count == 3)
    try await store.write { db in
      try db.insert("Game", ["title": "New"])
      try db.update(games[0].reference, ["title": "Edited"])
      try db.delete(games[1].reference)
    }
    let status = try await world.ferry("status", "--json")
    let unsent = ((status.lastMessage?["classes"] as? [String: [String: Any]])?["Game"]?["unsent"])
    #expect(unsent as? [String: Int] == ["create": 1, "update": 1, "delete": 1])
    let outbox = try await world.ferry("outbox")
    #expect(outbox.output.contains("create title: ready"))
    #expect(outbox.output.contains("\(games[0].objectID) update title: ready"))
    #expect(outbox.output.contains("\(games[1].objectID) delete: ready"))
    #expect(try await world.ferry("outbox", "--class", "League").output == "Nothing is unsent.\n")
    let plan = try await world.ferry("plan")
    #expect(plan.code == 0)
    #expect(plan.output.hasSuffix("Server: 1 create, 1 edit, 1 delete.\n"))
    #expect(world.server.backend.objects(of: "Game").count == 3)
    let sync = try await world.ferry("sync", "--json")
    #expect(sync.code == 0, "\(sync.errors)")
    let game = counts(sync, of: "Game")
    #expect((game["created"], game["put"], game["deleted"]) == (1, 1, 1))
    let titles = world.server.backend.objects(of: "Game").compactMap { $0["title"]?.string }
    #expect(titles.contains("New") && titles.contains("Edited"))
    #expect(try await world.ferry("outbox").output == "Nothing is unsent.\n")
  }

  @Test func `ferry sync holds mass removals back until they are confirmed`() async throws {
    let world = try ToolWorld()
    try world.fill(games: 40)
    try world.configure()
    #expect(try await world.ferry("sync").code == 0)
    let ids = world.server.backend.objects(of: "Game").compactMap { $0["objectId"]?.string }
    try world.server.withBackend { backend throws(LoopbackError) in
      for id in ids.prefix(30) { try backend.delete("Game", id) }
    }
    let held = try await world.ferry("sync", "--json")
    #expect(held.code == 25, "\(held.errors)")
    let guarded = try #require(held.lastMessage?["guarded"] as? [[String: Any]])
    #expect(guarded.first?["count"] as? Int == 30)
    #expect(try await world.store().read { try $0.count(of: "Game") } == 40)
    let name = try #require(guarded.first?["confirmation"] as? String)
    let text = try await world.ferry("sync")
    #expect(text.output.contains("ferry sync --confirm \(name)"))
    let confirmed = try await world.ferry("sync", "--confirm", name)
    #expect(confirmed.code == 0, "\(confirmed.errors)")
    #expect(try await world.store().read { try $0.count(of: "Game") } == 10)
  }

  @Test func `ferry sync ends at once while another process syncs`() async throws {
    let world = try ToolWorld()
    try world.fill()
    try world.configure()
    world.server.setFault { _ in .slowAnswer(.seconds(20)) }
    let first = try world.start("sync")
    #expect(await eventually { world.server.requestCount > 0 })
    let start = Date.now
    let second = try await world.ferry("sync", "--json")
    #expect(second.code == 75, "\(second.errors)")
    #expect(second.lastMessage?["name"] as? String == "busy")
    #expect(Date.now.timeIntervalSince(start) < 5)
    first.send(SIGTERM)
    let stopped = await first.result()
    #expect(stopped.code == 143)
    world.server.setFault(nil)
    #expect(try await world.ferry("sync").code == 0)
  }

  @Test
  func `ferry sync stops at Ctrl-C, sooner at a second one, and resumes later`() async throws {
    let world = try ToolWorld()
    try world.fill()
    try world.configure()
    for times in 1...2 {
      let known = world.server.requestCount
      world.server.setFault { _ in .slowAnswer(.seconds(20)) }
      let process = try world.start("sync", "--json")
      #expect(await eventually { world.server.requestCount > known })
      let start = Date.now
      for _ in 0..<times {
        process.send(SIGINT)
        try await Task.sleep(for: .milliseconds(20))
      }
      let result = await process.result()
      #expect(result.code == 130)
      #expect(Date.now.timeIntervalSince(start) < 2)
      #expect(result.errors.contains("Stopping"))
      if times == 1 { #expect(result.lastMessage?["name"] as? String == "cancelled") }
      world.server.setFault(nil)
    }
    #expect(try await world.ferry("sync").code == 0)
    #expect(try await world.ferry("plan", "--exit-code").code == 0)
  }

  @Test func `ferry plan stops at Ctrl-C`() async throws {
    let world = try ToolWorld()
    try world.configure()
    world.server.setFault { _ in .slowAnswer(.seconds(20)) }
    let process = try world.start("plan")
    #expect(await eventually { world.server.requestCount > 0 })
    process.send(SIGINT)
    #expect(await process.result().code == 130)
  }
}
