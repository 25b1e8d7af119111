// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryTestSupport
import Foundation
import LoopbackParse
import Testing

@Suite(.serialized, .timeLimit(.minutes(10)))
struct DoctorProcessTests {
  /// The checks of a run by name, from its JSON.
  private struct Findings {
    var code: Int32
    var verdicts: [String: String] = [:]
    var findings: [String: String] = [:]
    var written: [String] = []
    var errors: String

    init(_ result: FerryProcess.Result) {
      code = result.code
      errors = result.errors
      written = result.lastMessage?["written"] as? [String] ?? []
      for check in result.lastMessage?["checks"] as? [[String: Any]] ?? [] {
        guard let name = check["name"] as? String else { continue }
        verdicts[name] = check["verdict"] as? String
        findings[name] = check["finding"] as? String
      }
    }

    /// The names of the checks with a verdict.
    func names(_ verdict: String) -> [String] {
      verdicts.filter { $0.value == verdict }.keys.sorted()
    }
  }

  private func examine(_ world: ToolWorld, _ arguments: String...) async throws -> Findings {
    chmod(world.folder.path, 0o700)
    let result = try await FerryProcess(["doctor", "--json"] + arguments, in: world.folder.url)
      .result()
    #expect(world.server.violations.isEmpty)
    return Findings(result)
  }

  /// A world with rows whose `ferry.json` names the master key.
  private func masterWorld(
    _ change: (inout LoopbackConfiguration) -> Void = { _ in }
  ) throws -> ToolWorld {
    let world = try world(change)
    try world.configure(extra: #""masterKeyFile": "key","#)
    try world.folder.write("mk", to: "key")
    return world
  }

  private func world(
    _ change: (inout LoopbackConfiguration) -> Void = { _ in }
  ) throws -> ToolWorld {
    var configuration = LoopbackConfiguration()
    change(&configuration)
    let world = try ToolWorld(configuration)
    try world.fill()
    try world.configure()
    return world
  }

  private func state(_ world: ToolWorld) -> LoopbackValue { world.server.backend.snapshot() }

  @Test func `a store of another server is named`() async throws {
    let world = try world()
    #expect(try await world.ferry("sync").code == 0)
    let other = try LoopbackServer(LoopbackConfiguration())
    defer { other.stop() }
    try other.withBackend { backend throws(LoopbackError) in
      _ = try backend.create("League", ["name": "South"])
      _ = try backend.create("Game", ["title": "Away"])
    }
    try world.configure(server: "\(other.url)")
    let findings = try await examine(world)
    #expect(findings.code == 78)
    #expect(findings.verdicts["store"] == "problem")
    #expect(
      findings.findings["store"]?.hasPrefix("This store holds the data of \(world.server.url)")
        == true,
      "\(findings.findings)")
    #expect(try await world.ferry("sync").code == 78)
  }

  @Test func `ferry doctor finds a healthy server healthy and writes nothing to it`() async throws {
    let world = try world()
    let before = state(world)
    let found = try await examine(world)
    #expect(found.code == 0, "\(found.errors)")
    #expect(found.names("problem") == [] && found.names("notice") == [])
    #expect(found.names("unknown") == ["client ids", "index", "version"])
    #expect(found.findings["count Game"] == "Allowed: 3 rows.")
    #expect(found.written == [])
    #expect(state(world) == before)
    let left = try FileManager.default.contentsOfDirectory(atPath: world.folder.path)
    #expect(left == ["ferry.json"])
  }

  @Test func `ferry doctor finds the Cloud Code of a server`() async throws {
    let world = try world { $0.ferryModule = LoopbackFerryModule(classes: ["League"], logged: []) }
    let found = try await examine(world)
    #expect(found.verdicts["cloud code"] == "ok")
    #expect(
      found.findings["cloud code"]
        == "Version 1.0.0 of Ferry's Cloud Code. It says which records are gone of League.")
    world.server.withBackend { $0.ferryModule = nil }
    #expect(try await examine(world).verdicts["cloud code"] == nil)
  }

  @Test func `ferry doctor finds the live queries of a server`() async throws {
    let published = try await examine(try world { $0.liveQueryClasses = [".*"] })
    #expect(published.verdicts["live queries"] == "ok")
    #expect(
      published.findings["live queries"]
        == "The server takes live queries of League, Game. It does not say which classes it publishes."
    )
    let none = try await examine(try world())
    #expect(none.verdicts["live queries"] == "ok" && none.code == 0)
    let finding = none.findings["live queries"] ?? ""
    #expect(
      finding.hasPrefix("The server takes no live queries at its own address. "), "\(finding)")
  }

  @Test
  func `ferry doctor sees more with the master key and makes an index on request`() async throws {
    let world = try masterWorld { $0.allowCustomObjectId = true }
    let before = state(world)
    let looked = try await examine(world)
    #expect(looked.names("unknown") == ["client ids"])
    #expect(looked.names("notice") == ["index"])
    #expect(state(world) == before)
    let tried = try await examine(world, "--write")
    #expect(tried.verdicts["client ids"] == "ok")
    #expect(tried.verdicts["index"] == "notice")
    #expect(tried.written.count == 1)
    #expect(tried.errors.contains("to create one record of the class FerryProbe"))
    #expect(world.server.backend.objects(of: "FerryProbe").isEmpty)
    #expect(try await classNames(world) == ["Game", "League"])
    let made = try await examine(world, "--write", "--make-index")
    #expect(made.verdicts["index"] == "ok")
    #expect(made.written.count == 3)
    #expect(made.errors.contains("the index Game_sync on (updatedAt, objectId) of Game."))
    let again = try await examine(world)
    #expect(again.verdicts["index"] == "ok")
    #expect(again.code == 0)
  }

  private func classNames(_ world: ToolWorld) async throws -> [String] {
    let request = LoopbackRequest(
      "GET", "/parse/schemas",
      headers: ["X-Parse-Application-Id": "app1", "X-Parse-Master-Key": "mk"])
    let answer = world.server.withBackend { $0.answer(request) }
    return answer.json?["results"]?.array?.compactMap { $0["className"]?.string }
      .filter { !$0.hasPrefix("_") } ?? []
  }

  @Test
  func `ferry doctor tries client ids without the master key, naming leftovers`() async throws {
    let world = try world { $0.allowCustomObjectId = true }
    let found = try await examine(world, "--write")
    #expect(found.verdicts["client ids"] == "ok")
    #expect(found.errors.contains("An empty class FerryProbe may stay"))
    #expect(world.server.backend.objects(of: "FerryProbe").isEmpty)
    let off = try self.world()
    let refused = try await examine(off, "--write")
    #expect(refused.code == 0)
    #expect(refused.verdicts["client ids"] == "notice")
    #expect(refused.written == [])
    let closed = try self.world {
      $0.allowCustomObjectId = true
      $0.allowClientClassCreation = false
    }
    #expect(try await examine(closed, "--write").verdicts["client ids"] == "unknown")
  }

  @Test func `ferry doctor names a wrong application id or key`() async throws {
    let world = try world { $0.restAPIKey = "secret" }
    let missing = try await examine(world)
    #expect(missing.code == 77)
    #expect(missing.names("problem") == ["keys"])
    try world.configure(extra: #""restKeyFile": "key","#)
    try world.folder.write("wrong", to: "key")
    #expect(try await examine(world).code == 77)
    try world.folder.write("secret", to: "key")
    #expect(try await examine(world).code == 0)
    try world.configure(extra: #""restKeyFile": "key", "masterKeyFile": "master","#)
    try world.folder.write("not the master's", to: "master")
    let master = try await examine(world)
    #expect(master.code == 77)
    #expect(master.names("problem") == ["master key"])
  }

  @Test func `ferry doctor names a session that has ended`() async throws {
    let world = try world()
    try world.configure(extra: #""sessionTokenFile": "token","#)
    try world.folder.write("r:0123456789abcdef0123456789abcdef", to: "token")
    let found = try await examine(world)
    #expect(found.code == 77)
    #expect(found.names("problem") == ["session"])
    #expect(found.verdicts["batches"] == nil)
    let asked = try await examine(world, "--write")
    #expect(asked.written == [])
    #expect(asked.findings["client ids"]?.contains("Nothing was written") == true)
  }

  @Test func `ferry doctor names what it wrote and gives up a silent server in time`() async throws
  {
    let world = try world { $0.allowCustomObjectId = true }
    let text = try await world.ferry("doctor", "--write")
    #expect(text.output.contains("Written to the server:\n  one record of the class FerryProbe"))
    world.server.setFault { _ in .slowAnswer(.seconds(20)) }
    let start = Date.now
    let silent = try await examine(world, "--timeout", "1")
    #expect(silent.code == 75, "\(silent.errors)")
    #expect(Date.now.timeIntervalSince(start) < 10)
  }

  @Test func `ferry doctor names a wrong mount path and a server of another kind`() async throws {
    let world = try world()
    try world.configure(server: "http://127.0.0.1:\(world.server.port)/elsewhere")
    let found = try await examine(world)
    #expect(found.code == 76)
    #expect(found.names("problem") == ["address"])
    try world.configure()
    let page = Array("<html>Welcome</html>".utf8)
    world.server.setFault { _ in
      .respond(LoopbackResponse(status: 200, headers: ["Content-Type": "text/html"], body: page))
    }
    let other = try await examine(world, "--write")
    #expect(other.code == 76)
    #expect(other.names("problem") == ["address"])
    #expect(!other.errors.contains("Will write"))
  }

  /// Something that answers, and is no Parse Server.
  struct Stranger: CustomTestStringConvertible {
    var testDescription: String
    /// The answers to `/health` and to every other request.
    var health: (status: Int, body: String)
    var others: (status: Int, body: String)
    var code: Int32
  }

  private static let badGateway = (502, "<html><h1>502 Bad Gateway</h1><hr>nginx</html>")
  private static let unavailable = (503, "<html><h1>503 Service Unavailable</h1></html>")
  private static let noSuchFile = (404, "<!DOCTYPE HTML><h1>Error response</h1>")
  private static let notImplemented = (501, "<!DOCTYPE HTML><h1>Unsupported method</h1>")
  private static let empty = (200, "{}")
  private static let notFound = (404, #"{"error":"Not found"}"#)

  @Test(arguments: [
    Stranger(
      testDescription: "nginx before a stopped server", health: badGateway, others: badGateway,
      code: 75),
    Stranger(
      testDescription: "a server under repair", health: unavailable, others: unavailable, code: 75),
    Stranger(
      testDescription: "python3 -m http.server", health: noSuchFile, others: notImplemented,
      code: 76),
    Stranger(testDescription: "{} on everything", health: empty, others: empty, code: 76),
    Stranger(
      testDescription: "another interface of JSON", health: notFound, others: notFound, code: 76),
    Stranger(
      testDescription: "another healthy server", health: (200, #"{"status":"ok"}"#),
      others: notFound, code: 76),
    Stranger(
      testDescription: "another healthy server that takes everything",
      health: (200, #"{"status":"ok"}"#), others: empty, code: 76),
  ])
  func `ferry doctor finds no Parse Server where none answers`(stranger: Stranger) async throws {
    let world = try world()
    world.server.setFault { request in
      let (status, body) = request.path.hasSuffix("/health") ? stranger.health : stranger.others
      return .respond(LoopbackResponse(status: status, headers: [:], body: Array(body.utf8)))
    }
    for arguments in [[], ["--write"]] {
      chmod(world.folder.path, 0o700)
      let result = try await FerryProcess(["doctor", "--json"] + arguments, in: world.folder.url)
        .result()
      let found = Findings(result)
      #expect(found.code == stranger.code, "\(result.output)")
      #expect(found.names("problem") == ["address"], "\(result.output)")
      #expect(found.verdicts["keys"] == nil)
      #expect(!result.output.contains("A Parse Server answers"))
      #expect(found.written == [] && !found.errors.contains("Will write"))
    }
    let sync = try await world.ferry("sync")
    #expect(sync.code == stranger.code, "\(sync.errors)")
  }

  @Test func `ferry doctor says why it made no index`() async throws {
    let world = try world()
    let found = try await examine(world, "--write", "--make-index")
    #expect(found.code == 77)
    #expect(found.names("problem") == ["index"])
    #expect(found.findings["index"]?.contains("No index was made: only the master key") == true)
    let text = try await world.ferry("doctor", "--write", "--make-index")
    #expect(text.output.contains("masterKeyFile"))
  }

  @Test func `ferry doctor names classes that the user may not read or count`() async throws {
    let world = try world()
    try world.server.withBackend { backend throws(LoopbackError) in
      try backend.setPermissions(of: "Game", ["get": ["*": true]])
      try backend.setPermissions(of: "League", ["find": ["*": true], "get": ["*": true]])
    }
    let found = try await examine(world)
    #expect(found.code == 77)
    #expect(found.names("problem") == ["read Game"])
    #expect(found.verdicts["read League"] == "ok")
    #expect(found.names("notice") == ["count League"])
    try world.server.withBackend { backend throws(LoopbackError) in
      try backend.setPermissions(of: "Game", ["find": ["requiresAuthentication": true]])
    }
    let login = try await examine(world)
    #expect(login.findings["read Game"]?.contains("login") == true)
  }

  @Test func `ferry doctor names batches that fail`() async throws {
    let found = try await examine(try world { $0.brokenBatch = true })
    #expect(found.code == 0)
    #expect(found.names("notice") == ["batches"])
  }

  @Test func `ferry doctor names a server clock that is an hour off or unknown`() async throws {
    let ahead = try await examine(try world { $0.dateHeaderSkew = 3_600 })
    #expect(ahead.code == 0)
    #expect(ahead.names("notice") == ["clock"])
    #expect(ahead.findings["clock"]?.contains("ahead of") == true)
    let silent = try await examine(try world { $0.dateHeaderSkew = nil })
    #expect(silent.verdicts["clock"] == "unknown")
  }

  @Test func `ferry doctor names http to another machine and sends no request`() async throws {
    let world = try world()
    try world.configure(server: "http://parse.example.com/1")
    let found = try await examine(world)
    #expect(found.code == 78)
    #expect(found.names("problem") == ["encryption"])
    #expect(found.findings["encryption"]?.contains("--allow-cleartext") == true)
  }

  @Test func `ferry doctor names a folder and files that others can read`() async throws {
    let world = try masterWorld()
    chmod(world.folder.path, 0o777)
    let open = try await world.ferry("doctor", "--json")
    #expect(open.code == 78)
    #expect(Findings(open).names("problem") == ["files"])
    let path = world.folder.path
    let text = try await world.ferry("doctor")
    #expect(
      text.output.contains("chmod 700 '\(path.hasSuffix("/") ? String(path.dropLast()) : path)'"))
    try world.folder.write("mk", to: "key", mode: 0o644)
    #expect(try await examine(world).names("problem") == ["files"])
    try world.folder.write("mk", to: "key")
    chmod(world.folder.path, 0o755)
    #expect(Findings(try await world.ferry("doctor", "--json")).verdicts["files"] == "notice")
  }

  @Test func `ferry doctor names a server that cannot be reached`() async throws {
    let world = try world()
    try world.configure(server: "http://127.0.0.1:1/parse")
    let found = try await examine(world)
    #expect(found.code == 69)
    #expect(found.names("problem") == ["address"])
  }

  @Test func `ferry doctor refuses bad input and stops at Ctrl-C`() async throws {
    let world = try world()
    let lonely = try await world.ferry("doctor", "--make-index", "--json")
    #expect(lonely.code == 64)
    #expect(world.server.requestCount == 0)
    #expect(try await world.ferry("doctor", "--directory", "/nowhere").code == 78)
    world.server.setFault { _ in .slowAnswer(.seconds(20)) }
    let process = try world.start("doctor")
    #expect(await eventually { world.server.requestCount > 0 })
    process.send(SIGINT)
    #expect(await process.result().code == 130)
  }
}
