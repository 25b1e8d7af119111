// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryEngine
import FerryModel
import FerryParse
import FerryStore
import FerryTestSupport
import Foundation
import LoopbackParse
import Testing

/// A unique text in each place that may hold a secret must not appear anywhere else.
@Suite(.serialized, .timeLimit(.minutes(5))) struct CanaryTests {
  private static let rest = "canary-rest-8f2c41d7"
  private static let master = "canary-master-17a90be3"
  private static let token = "r:canary-token-5d03c2aa"
  private static let variable = "canary-variable-b61f77c9"
  /// JSON writes a quote and a slash in other ways.
  private static let password = "canary-\"password/30c7e4"
  private static let canaries = [
    rest, master, token, variable, password, "password/30c7e4", "password\\/30c7e4",
  ]

  /// The environment of the tool: secrets that other programs read from it.
  private static let environment = [
    "PARSE_MASTER_KEY": variable, "FERRY_MASTER_KEY": variable, "PARSE_REST_API_KEY": variable,
    "http_proxy": "http://user:\(variable)@127.0.0.1:1",
    "HTTPS_PROXY": "http://\(variable):x@127.0.0.1:1",
  ]

  /// A server's way to say all that it was sent.
  struct Echo: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var status: Int
    /// The answer's header lines and body, made of the request's head.
    var answer: @Sendable (_ head: String) -> (lines: String, body: String)

    static let all: [Echo] =
      [200, 400, 401, 403, 404, 429, 500].map { status in
        Echo(testDescription: "\(status) with an error", status: status) { head in
          ("", LoopbackValue.object(["code": 141, "error": .string(head)]).text)
        }
      }
      + [200, 400, 403, 404].flatMap { status in
        [
          Echo(testDescription: "\(status) with a page", status: status) { head in
            ("", "<html><pre>\(head)</pre></html>")
          },
          Echo(testDescription: "\(status) with an error without a code", status: status) { head in
            ("", LoopbackValue.object(["error": .string(head)]).text)
          },
        ]
      } + [
        Echo(testDescription: "a redirect", status: 302) { head in
          let escaped = head.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
          return (
            "Location: https://\(rest):\(master)@elsewhere.example.com/\(token)?\(escaped)\r\n", ""
          )
        },
        Echo(testDescription: "headers and cookies", status: 403) { head in
          let lines = head.split(separator: "\r\n").dropFirst().map { "Set-Cookie: \($0)\r\n" }
          return (lines.joined() + "Server: \(master)\r\nRetry-After: \(token)\r\n", "")
        },
        Echo(testDescription: "a broken header", status: 200) { head in
          ("Content-Length: \(master)\r\nTransfer-Encoding: \(rest)\r\n", head)
        },
      ]
  }

  private static let commands = [
    ["sync", "--timeout", "1"], ["sync", "--json"], ["plan", "--verbose"], ["plan", "--json"],
    ["verify", "--verbose"], ["verify", "--json"], ["status"], ["status", "--json"], ["outbox"],
    ["outbox", "--json"], ["conflicts"], ["conflicts", "--json"], ["staging"],
    ["staging", "--json"], ["history"], ["history", "--json"], ["undo"], ["undo", "--json"],
    ["doctor"],
    ["doctor", "--json", "--write"], ["version", "--json"], ["help", "configuration"],
  ]

  private func world() throws -> ToolWorld {
    var configuration = LoopbackConfiguration()
    (configuration.restAPIKey, configuration.masterKey) = (Self.rest, Self.master)
    let world = try ToolWorld(configuration)
    try world.fill()
    chmod(world.folder.path, 0o700)
    try world.folder.write(Self.rest, to: "rest.key")
    try world.folder.write(Self.master, to: "master.key")
    try world.folder.write(Self.token, to: "token")
    try world.folder.write(Self.password, to: "password")
    return world
  }

  private func configure(_ world: ToolWorld, _ address: String? = nil) throws {
    try world.configure(
      server: address,
      extra: #""restKeyFile": "rest.key", "masterKeyFile": "master.key", "#
        + #""sessionTokenFile": "token","#)
  }

  /// Runs the tool, and looks for canaries in all that it shows while it runs and afterwards.
  private func run(_ arguments: [String], in world: ToolWorld, _ comment: String) async throws {
    let process = try FerryProcess(
      arguments, in: world.folder.url, environment: Self.environment)
    let commandLine = process.commandLine
    let result = await process.result()
    let shown = [result.output, result.errors, commandLine]
    for canary in Self.canaries {
      let isSilent = shown.allSatisfy { !$0.contains(canary) }
      #expect(isSilent, "\(arguments) shows \(canary), with \(comment): \(shown)")
    }
  }

  /// Looks for canaries in the bytes of each file below the folder, except for the files of keys.
  private func expectNoneInFiles(of world: ToolWorld, _ comment: String) throws {
    for name in try FileManager.default.subpathsOfDirectory(atPath: world.folder.path)
    where !["rest.key", "master.key", "token", "password"].contains(name) {
      guard let bytes = FileManager.default.contents(atPath: world.path(name)) else { continue }
      for canary in Self.canaries {
        #expect(
          bytes.firstRange(of: Data(canary.utf8)) == nil, "\(name) holds \(canary), with \(comment)"
        )
      }
    }
  }

  @Test func `no command shows or keeps a secret when all goes well`() async throws {
    let world = try world()
    let answer = world.server.withBackend { backend in
      backend.answer(
        LoopbackRequest(
          "POST", "/parse/users",
          headers: ["X-Parse-Application-Id": "app1", "X-Parse-REST-API-Key": Self.rest],
          json: ["username": "ann", "password": "canary-password-11"]))
    }
    let token = try #require(answer.json?["sessionToken"]?.string)
    try world.folder.write(token, to: "token")
    try configure(world)
    try await run(["sync"], in: world, "a good server")
    _ = try await world.store().write { try $0.insert("Game", ["title": "new"]) }
    for arguments in Self.commands { try await run(arguments, in: world, "a good server") }
    try await run(
      [
        "init", "--server", world.server.url, "--application-id", "app1", "--rest-key-file",
        "rest.key",
        "--master-key-file", "master.key", "--session-token-file", "token", "--class", "Game",
        "--force",
      ], in: world, "a good server")
    try expectNoneInFiles(of: world, "a good server")
  }

  @Test func `a login shows neither password nor token, and keeps the token in its file alone`()
    async throws
  {
    let world = try world()
    try world.configure(extra: #""restKeyFile": "rest.key", "#)
    for arguments in [
      ["login", "ann", "--password-file", world.path("password"), "--sign-up"], ["whoami"],
      ["whoami", "--json"], ["sync"], ["doctor"], ["login", "ann", "--password-file", "token"],
      ["logout"], ["login", "ann", "--password-file", world.path("password"), "--json"],
    ] {
      try await run(arguments, in: world, "a login")
      let token =
        (try? FileCredentialStore(at: world.folder.url.appending(path: "credentials.json")).read())?
        .user?.sessionToken?.text
      for name in try FileManager.default.subpathsOfDirectory(atPath: world.folder.path)
      where name != "credentials.json" {
        guard let token, let bytes = FileManager.default.contents(atPath: world.path(name)) else {
          continue
        }
        #expect(bytes.firstRange(of: Data(token.utf8)) == nil, "\(name) holds the token")
      }
    }
    try expectNoneInFiles(of: world, "a login")
  }

  @Test(arguments: [400, 404, 500])
  func `a refusal of a login is shown without the password in it`(status: Int) async throws {
    let world = try world()
    let server = try ScriptedServer { connection in
      while let request = connection.readRequest() {
        let words = request.head + String(decoding: request.body, as: UTF8.self)
        connection.answer(
          status, LoopbackValue.object(["code": 141, "error": .string(words)]).text)
      }
    }
    defer { server.stop() }
    try world.configure(
      server: "http://127.0.0.1:\(server.port)/parse", extra: #""restKeyFile": "rest.key", "#)
    for arguments in [["--json"], ["--sign-up"]] {
      try await run(
        ["login", "ann", "--password-file", world.path("password")] + arguments, in: world,
        "an echo of the body")
    }
    #expect(server.requests.count >= 2)
  }

  @Test(arguments: Echo.all)
  func `no command shows or keeps a secret that the server says`(echo: Echo) async throws {
    let world = try world()
    try configure(world)
    let server = try ScriptedServer { connection in
      while let request = connection.readRequest() {
        let (lines, body) = echo.answer(request.head)
        connection.answer(echo.status, body, headers: lines)
      }
    }
    defer { server.stop() }
    // The store belongs to the address of the echo, and has something to send.
    try configure(world, "http://127.0.0.1:\(server.port)/parse")
    _ = try await world.store().write { try $0.insert("Game", ["title": "new"]) }
    // The tool repeats its questions only where the same server may later answer them.
    let isRepeated = [429, 500].contains(echo.status)
    var commands = [["sync"], ["doctor", "--json", "--write"], ["outbox"]]
    if !isRepeated {
      commands += [["plan", "--json"], ["verify"], ["status", "--json"], ["staging"]]
      commands.append([
        "init", "--server", "http://127.0.0.1:\(server.port)/parse", "--application-id", "app1",
        "--rest-key-file", "rest.key", "--master-key-file", "master.key", "--class", "Game",
        "--directory", "other",
      ])
    }
    for arguments in commands { try await run(arguments, in: world, echo.testDescription) }
    try expectNoneInFiles(of: world, echo.testDescription)
    #expect(!server.requests.isEmpty)
  }

  @Test(arguments: [1, 3])
  func `the store keeps the refusal of a change without the keys in it`(changes: Int) async throws {
    let world = try world()
    try world.configure(extra: #""restKeyFile": "rest.key", "masterKeyFile": "master.key","#)
    #expect(try await world.ferry("sync").code == 0)
    _ = try await world.store().write { db in
      for number in 0..<changes { try db.insert("Game", ["title": .string("new \(number)")]) }
    }
    world.server.setFault { request in
      let operations = request.json?["requests"]?.array ?? []
      let isBatchOfWrites = operations.contains { $0["method"] == "POST" }
      let isWrite = request.path.hasSuffix("/Game") && request.json?["_method"] == nil
      guard isBatchOfWrites || isWrite else { return nil }
      let head = request.headers.pairs.map { "\($0.name): \($0.value)" }.joined(separator: ", ")
      let refusal: LoopbackValue = ["code": 141, "error": .string("I saw \(head)")]
      return isBatchOfWrites
        ? .respond(
          LoopbackResponse(
            status: 200, json: .array(operations.map { _ in ["error": refusal] })))
        : .respond(LoopbackResponse(status: 400, json: refusal))
    }
    for arguments in [["sync"], ["outbox"], ["outbox", "--json"], ["status"], ["plan"]] {
      try await run(arguments, in: world, "a refusal of \(changes) changes")
    }
    #expect(try await world.ferry("outbox").output.contains("I saw"))
    try expectNoneInFiles(of: world, "a refusal of \(changes) changes")
  }

  @Test(arguments: [
    #"{ "server": "https://user:canary-master-17a90be3@parse.example.com/1", "applicationId": "a", "classes": {} }"#,
    #"{ "server": "https://parse.example.com/1?key=canary-master-17a90be3", "applicationId": "a", "classes": {} }"#,
    #"{ "server": "https://parse.example.com/1", "applicationId": "a", "masterKey": "canary-master-17a90be3", "classes": {} }"#,
    #"{ "server": "https://parse.example.com/1", "masterKeyFile": ["canary-master-17a90be3"] }"#,
    #"{ "server": "canary-master-17a90be3"#,
    #"{ "server": canary-master-17a90be3 }"#,
  ])
  func `a misplaced secret in ferry.json is not repeated`(text: String) async throws {
    let world = try world()
    try world.folder.write(text, to: "ferry.json")
    for arguments in Self.commands { try await run(arguments, in: world, text) }
  }

  @Test(arguments: [
    "canary-master-17a90be3\ncanary-rest-8f2c41d7", "canary-master-17a90be3 \u{1} x",
    "canary-master-17a90be3\rX-Any: 1", "canary-master-17a90be3é",
    String(repeating: "canary-master-17a90be3", count: 2000),
  ])
  func `a file of keys that cannot be used is not repeated`(text: String) async throws {
    let world = try world()
    try configure(world)
    try world.folder.write(text, to: "master.key", mode: 0o644)
    for arguments in Self.commands { try await run(arguments, in: world, text) }
    try expectNoneInFiles(of: world, text)
  }

  @Test func `a password in an address of the command line is not repeated`() async throws {
    let world = try world()
    for address in [
      "https://user:\(Self.master)@127.0.0.1:1/parse", "http://127.0.0.1:1/p#\(Self.master)",
    ] {
      let result = try await world.ferry(
        "init", "--server", address, "--application-id", "app1", "--class", "Game")
      #expect(!(result.output + result.errors).contains(Self.master))
    }
    try expectNoneInFiles(of: world, "an address")
  }
}
