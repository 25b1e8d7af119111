// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryParse
import FerryTestSupport
import Foundation
import LoopbackParse
import Testing

@testable import FerryTool

@Suite(.serialized, .timeLimit(.minutes(10)))
struct InitProcessTests {
  private func configuration(_ world: ToolWorld, _ folder: String = "") throws -> SyncConfiguration
  {
    try SyncConfiguration(
      json: Data(contentsOf: world.folder.url.appending(path: "\(folder)ferry.json")))
  }

  @Test
  func `ferry init takes the fields from the server's schemas with a master key`() async throws {
    let world = try ToolWorld()
    try world.fill()
    try world.folder.write("mk\n", to: "master.key")
    let result = try await world.ferry(
      "init", "--server", world.server.url, "--application-id", "app1", "--master-key-file",
      "master.key", "--class", "League", "Game", "--directory", "new")
    #expect(result.code == 0)
    #expect(result.output.contains("2 classes, 4 fields, from the server's schemas."))
    #expect(result.errors.contains("Asking \(world.server.url)"))
    #expect(result.errors.contains("Look at it, then: ferry doctor"))
    let configuration = try configuration(world, "new/")
    #expect(configuration.schema.entities.map(\.name) == ["League", "Game"])
    #expect(configuration.schema.entity("Game")?.field("league")?.type == .pointer(to: "League"))
    #expect(configuration.keyFiles == [.masterKey: world.path("master.key")])
    let again = try await world.ferry("status", "--directory", "new")
    #expect(again.code == 0)
  }

  @Test func `ferry init takes the fields from a sample and names untyped ones`() async throws {
    let world = try ToolWorld()
    try world.fill()
    try world.server.withBackend { backend throws(LoopbackError) in
      _ = try backend.create("Game", ["when": "Monday", "nothing": .null])
    }
    let result = try await world.ferry(
      "init", "--server", world.server.url, "--application-id", "app1", "--class", "Game",
      "League", "Team", "--json")
    #expect(result.code == 3)
    #expect(result.lastMessage?["source"] as? String == "sample")
    #expect(result.errors.contains("showed no row of Team: it has no such class"))
    let game = try #require(configuration(world).schema.entity("Game"))
    #expect(game.field("league")?.type == .pointer(to: "League"))
    #expect(game.field("when")?.column == "whenValue")
    #expect(game.field("score")?.type == .number)
  }

  @Test func `ferry init overwrites files only with --force`() async throws {
    let world = try ToolWorld()
    try world.fill()
    try world.folder.write("mine", to: "ferry.json")
    let arguments = [
      "init", "--server", world.server.url, "--application-id", "app1", "--class", "Game",
    ]
    let refused = try await FerryProcess(arguments, in: world.folder.url).result()
    #expect(refused.code == 73)
    #expect(
      try String(contentsOf: world.folder.url.appending(path: "ferry.json"), encoding: .utf8)
        == "mine")
    #expect(world.server.requestCount == 0)
    let done = try await FerryProcess(arguments + ["--force"], in: world.folder.url).result()
    #expect(done.code == 0)
  }

  @Test func `ferry init writes nothing when the server does not answer properly`() async throws {
    let world = try ToolWorld()
    try world.fill()
    try world.folder.write("wrong", to: "wrong.key")
    try world.folder.write("mk", to: "master.key")
    let host = "http://127.0.0.1:\(world.server.port)"
    let cases: [(arguments: [String], code: Int32, name: String)] = [
      (["--server", world.server.url, "--application-id", "other"], 77, "unauthorized"),
      (
        [
          "--server", world.server.url, "--application-id", "app1", "--master-key-file",
          "wrong.key",
        ],
        77, "unauthorized"
      ),
      (["--server", "\(host)/elsewhere", "--application-id", "app1"], 76, "wrong-url"),
      (["--server", "http://127.0.0.1:1/parse", "--application-id", "app1"], 69, "unreachable"),
      (
        ["--server", "http://parse.example.com/1", "--application-id", "app1"], 78, "configuration"
      ),
      (["--server", "ftp://127.0.0.1/parse", "--application-id", "app1"], 64, "usage"),
      (["--server", world.server.url, "--application-id", ""], 64, "usage"),
      (["--server", "parse", "--application-id", "app1"], 64, "usage"),
      (["--server", world.server.url], 64, "usage"),
      (
        ["--server", world.server.url, "--application-id", "app1", "--master-key-file", "none"], 78,
        "key-file"
      ),
      (
        [
          "--server", world.server.url, "--application-id", "app1", "--master-key-file",
          "master.key", "--class", "Gane",
        ], 78, "unknown-class"
      ),
      (
        [
          "--server", world.server.url, "--application-id", "app1", "--directory", "/dev/null/x",
        ], 73, "cannot-create"
      ),
    ]
    for (arguments, code, name) in cases {
      let result = try await FerryProcess(
        ["init", "--json", "--class", "Game"] + arguments, in: world.folder.url
      ).result()
      #expect(result.code == code, "\(arguments): \(result.errors)")
      #expect(result.lastMessage?["message_type"] as? String == "exit_error", "\(arguments)")
      #expect(result.lastMessage?["name"] as? String == name, "\(arguments): \(result.output)")
      #expect(result.lastMessage?["code"] as? Int32 == code)
      #expect(!FileManager.default.fileExists(atPath: world.path("ferry.json")))
    }
  }

  @Test func `ferry init says that a server has no class of an app yet`() async throws {
    let world = try ToolWorld()
    try world.folder.write("mk", to: "master.key")
    let result = try await world.ferry(
      "init", "--server", world.server.url, "--application-id", "app1", "--master-key-file",
      "master.key", "--class", "Game")
    #expect(result.code == 78)
    #expect(
      result.errors.contains(#"The server has no class "Game". It has no class of an app yet."#))
    #expect(!FileManager.default.fileExists(atPath: world.path("ferry.json")))
  }

  @Test func `a class that needs a login is named as such, and no file is written`() async throws {
    let world = try ToolWorld()
    try world.fill()
    try world.server.withBackend { backend throws(LoopbackError) in
      try backend.setPermissions(of: "Game", ["find": ["requiresAuthentication": true]])
    }
    let result = try await world.ferry(
      "init", "--server", world.server.url, "--application-id", "app1", "--class", "Game")
    #expect(result.code == 77, "\(result.errors)")
    #expect(result.errors.contains("shows Game only to users who are logged in"))
    #expect(!FileManager.default.fileExists(atPath: world.path("ferry.json")))
  }

  @Test(arguments: [["find": ["requiresAuthentication": true]], ["find": [:]]] as [LoopbackValue])
  func `a class that the server does not show keeps no other class from the file`(
    permissions: LoopbackValue
  ) async throws {
    let world = try ToolWorld()
    try world.fill()
    try world.server.withBackend { backend throws(LoopbackError) in
      try backend.setPermissions(of: "League", permissions)
    }
    let result = try await world.ferry(
      "init", "--server", world.server.url, "--application-id", "app1", "--class", "League", "Game")
    #expect(result.code == 3, "\(result.errors)")
    #expect(result.errors.contains("The file lists no field of it."))
    let schema = try configuration(world).schema
    #expect(schema.entity("League")?.fields.isEmpty == true)
    #expect(schema.entity("Game")?.field("title")?.type == .text)
  }

  @Test func `ferry init and doctor see a class with records of many megabytes`() async throws {
    let world = try ToolWorld()
    try world.fill()
    let long = String(repeating: "x", count: 9 << 20)
    try world.server.withBackend { backend throws(LoopbackError) in
      for _ in 0..<2 { _ = try backend.create("Game", ["title": .string(long)]) }
    }
    let result = try await world.ferry(
      "init", "--server", world.server.url, "--application-id", "app1", "--class", "Game")
    #expect(result.code == 0, "\(result.errors)")
    #expect(try configuration(world).schema.entity("Game")?.field("title")?.type == .text)
    chmod(world.folder.path, 0o700)
    let doctor = try await world.ferry("doctor")
    #expect(doctor.code == 0, "\(doctor.output)")
    #expect(doctor.output.contains("as in the 1 newest row"))
  }

  @Test func `ferry init stops at Ctrl-C while the server does not answer`() async throws {
    let world = try ToolWorld()
    try world.fill()
    world.server.setFault { _ in .slowAnswer(.seconds(20)) }
    let process = try world.start(
      "init", "--server", world.server.url, "--application-id", "app1", "--class", "Game")
    #expect(await eventually { world.server.requestCount > 0 })
    process.send(SIGINT)
    let result = await process.result()
    #expect(result.code == 130, "\(result.errors)")
    #expect(!FileManager.default.fileExists(atPath: world.path("ferry.json")))
  }
}
