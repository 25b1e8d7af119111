// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryPlanning
import Foundation
import LoopbackParse
import Testing

@Suite(.serialized, .timeLimit(.minutes(10)))
struct BadInputProcessTests {
  /// Runs a sync that must fail, and checks its message.
  private func expect(
    _ world: ToolWorld, _ code: Int32, _ name: String, _ arguments: [String] = ["sync"],
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let result = try await FerryProcess(arguments + ["--json"], in: world.folder.url).result()
    #expect(result.code == code, "\(result.errors)", sourceLocation: sourceLocation)
    #expect(
      result.lastMessage?["message_type"] as? String == "exit_error", "\(result.output)",
      sourceLocation: sourceLocation)
    #expect(
      result.lastMessage?["name"] as? String == name, "\(result.output)",
      sourceLocation: sourceLocation)
    #expect(result.errors.contains("ferry: "), sourceLocation: sourceLocation)
  }

  @Test func `ferry sync names a server that cannot be reached`() async throws {
    let world = try ToolWorld()
    try world.configure(server: "http://127.0.0.1:1/parse")
    try await expect(world, 69, "unreachable")
  }

  @Test func `ferry sync names a wrong application id`() async throws {
    let world = try ToolWorld()
    try world.configure(applicationID: "other")
    try await expect(world, 77, "unauthorized")
    try await expect(world, 77, "unauthorized", ["plan"])
  }

  @Test func `ferry sync names a wrong mount path`() async throws {
    let world = try ToolWorld()
    try world.configure(server: "http://127.0.0.1:\(world.server.port)/elsewhere")
    try await expect(world, 76, "wrong-url")
  }

  @Test func `ferry sync names a server of another kind`() async throws {
    let world = try ToolWorld()
    let page = Array("<html><body>Welcome</body></html>".utf8)
    world.server.setFault { _ in
      .respond(LoopbackResponse(status: 200, headers: ["Content-Type": "text/html"], body: page))
    }
    try world.configure()
    try await expect(world, 76, "not-parse-server")
  }

  @Test func `ferry sync names a session that has ended`() async throws {
    let world = try ToolWorld()
    try world.folder.write("r:0123456789abcdef0123456789abcdef", to: "token")
    try world.configure(extra: "\"sessionTokenFile\": \"token\",")
    try await expect(world, 77, "login-needed")
  }

  @Test func `ferry sync refuses http to another machine`() async throws {
    let world = try ToolWorld()
    try world.configure(server: "http://192.0.2.1/parse")
    try await expect(world, 78, "configuration")
    for command in ["sync", "plan", "verify"] {
      let result = try await world.ferry(command)
      #expect(result.errors.contains("To allow http: --allow-cleartext"), "\(result.errors)")
    }
    let made = try await FerryProcess(
      [
        "init", "--force", "--server", "http://192.0.2.1/parse", "--application-id", "app1",
        "--class", "Game",
      ],
      in: world.folder.url
    ).result()
    #expect(made.errors.contains("To allow http: --allow-cleartext"), "\(made.errors)")
  }

  @Test func `ferry sync names a missing and an empty key file`() async throws {
    let world = try ToolWorld()
    try world.configure(extra: "\"masterKeyFile\": \"none\",")
    try await expect(world, 78, "key-file")
    try world.folder.write("\n", to: "none")
    try await expect(world, 78, "key-file")
    #expect(world.server.requestCount == 0)
  }

  @Test func `ferry sync names a missing and a broken ferry.json`() async throws {
    let world = try ToolWorld()
    for command in ["sync", "plan", "status", "outbox", "staging", "history"] {
      try await expect(world, 78, "no-configuration", [command])
    }
    try world.folder.write("{\n  \"server\": \"x\"\n  \"classes\": {}\n}", to: "ferry.json")
    for command in ["sync", "plan", "status", "outbox", "staging", "history"] {
      try await expect(world, 78, "broken-configuration", [command])
    }
    let result = try await world.ferry("status")
    #expect(result.errors.contains("ferry.json:3:3: expected a comma or }"))
    #expect(result.output.isEmpty)
  }

  @Test func `ferry sync names classes whose names differ only in case`() async throws {
    let world = try ToolWorld()
    try world.configure(classes: "{\"Note\": {\"fields\": {}},\n\"note\": {\"fields\": {}}}")
    try await expect(world, 78, "broken-configuration")
  }

  @Test func `ferry sync names a damaged store and leaves it as it is`() async throws {
    let world = try ToolWorld()
    try world.fill()
    try world.configure()
    #expect(try await world.ferry("sync").code == 0)
    chmod(world.folder.path, 0o700)
    let sound = try await world.ferry("doctor")
    #expect(sound.code == 0, "\(sound.output)")
    // The file opens: its first pages are sound.
    let file = world.folder.url.appending(path: "store.sqlite")
    var pages = try Data(contentsOf: file)
    pages.replaceSubrange(
      (pages.count / 2)..., with: Data(repeating: 0xA5, count: pages.count - pages.count / 2))
    try pages.write(to: file)
    let examined = try await world.ferry("doctor")
    #expect(examined.code == 74, "\(examined.output)")
    #expect(examined.output.contains("problem  store"), "\(examined.output)")
    let garbage = String(repeating: "This is no database. ", count: 500)
    for file in ["store.sqlite-wal", "store.sqlite-shm"] {
      try? FileManager.default.removeItem(atPath: world.path(file))
    }
    try world.folder.write(garbage, to: "store.sqlite")
    try await expect(world, 74, "damaged")
    try await expect(world, 74, "damaged", ["status"])
    let left = try String(
      contentsOf: world.folder.url.appending(path: "store.sqlite"), encoding: .utf8)
    #expect(left == garbage)
  }

  @Test func `ferry sync names a store that cannot be created`() async throws {
    let world = try ToolWorld()
    try world.configure()
    try FileManager.default.createDirectory(
      atPath: world.path("store.sqlite"), withIntermediateDirectories: false)
    let result = try await world.ferry("sync", "--json")
    #expect([73, 74].contains(result.code), "\(result.errors)")
  }

  @Test func `ferry sync names a file that cannot grow and loses nothing`() async throws {
    let world = try ToolWorld()
    try world.fill(games: 2000)
    try world.configure()
    let result = try await world.shell("ulimit -f 200; \"$FERRY\" sync --json")
    #expect(result.code == 74, "\(result.errors)")
    #expect(try await world.ferry("sync").code == 0)
    #expect(try await world.ferry("plan", "--exit-code").code == 0)
  }

  @Test func `ferry sync names a store of another server`() async throws {
    let world = try ToolWorld()
    try world.configure()
    #expect(try await world.ferry("sync").code == 0)
    let other = try ToolWorld()
    try world.configure(server: other.server.url)
    try await expect(world, 78, "other-server")
  }

  @Test func `ferry sync quarantines unreadable records and imports the others`() async throws {
    let world = try ToolWorld()
    try world.fill()
    try world.configure(
      classes:
        #"{ "Game": { "fields": { "title": { "type": "Date" }, "score": { "type": "Number" } } },"#
        + #" "League": { "fields": { "name": { "type": "String" } } } }"#)
    let result = try await world.ferry("sync", "--json")
    #expect(result.code == 3, "\(result.errors)")
    let classes = result.lastMessage?["classes"] as? [String: [String: Int]]
    #expect(classes?["Game"]?["quarantined"] == 3)
    #expect(classes?["League"]?["imported"] == 1)
    #expect(result.lastMessage?["outcome"] as? String == "partial")
    #expect(try await world.ferry("status").output.contains(" 3 "))
  }

  @Test func `ferry sync keeps the rows when a response is malformed or cut off`() async throws {
    let world = try ToolWorld()
    try world.fill()
    try world.configure()
    world.server.setFault { _ in
      .respond(
        LoopbackResponse(
          status: 200, headers: ["Content-Type": "application/json"],
          body: Array("{\"results\":[{]}".utf8)))
    }
    let malformed = try await world.ferry("sync", "--json")
    #expect([3, 65, 76].contains(malformed.code), "\(malformed.errors)")
    world.server.setFault { _ in .truncated(bytes: 20) }
    let cut = try await world.ferry("sync", "--json")
    #expect([3, 69, 75].contains(cut.code), "\(cut.errors)")
    world.server.setFault(nil)
    #expect(try await world.ferry("sync").code == 0)
  }
}
