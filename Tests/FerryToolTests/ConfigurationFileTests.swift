// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryParse
import Foundation
import Testing

@testable import FerryTool

@Suite(.timeLimit(.minutes(10)))
struct ConfigurationFileTests {
  private func mode(_ path: String) throws -> Int {
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    return try #require(attributes[.posixPermissions] as? Int)
  }

  private let configuration = SyncConfiguration(
    server: URL(filePath: "/"), applicationID: "demo",
    schema: Schema([Entity("Game", fields: [Field("title", .text)])]))

  @Test func `workspace files are readable only by their owner, also when overwritten`() throws {
    let folder = try TemporaryFolder()
    let workspace = Workspace(flag: folder.path + "new/deep", environment: [:])
    let file = ConfigurationFile(workspace: workspace)
    try file.write(configuration)
    #expect(try mode(workspace.folder.filePath) == 0o700)
    #expect(try mode(workspace.configuration.filePath) == 0o600)
    chmod(workspace.configuration.filePath, 0o644)
    try file.write(configuration)
    #expect(try mode(workspace.configuration.filePath) == 0o600)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: workspace.folder.filePath).count == 1)
  }

  @Test func `a flag comes before the environment, and that before the current folder`() {
    let environment = ["FERRY_DIRECTORY": "/from/environment"]
    #expect(Workspace(flag: "/from/flag", environment: environment).folder.filePath == "/from/flag")
    #expect(
      Workspace(flag: nil, environment: environment).folder.filePath == "/from/environment")
    let here = FileManager.default.currentDirectoryPath
    #expect(Workspace(flag: nil, environment: [:]).folder.filePath == here)
    #expect(Workspace(flag: nil, environment: ["FERRY_DIRECTORY": ""]).folder.filePath == here)
    #expect(Workspace(flag: "a/../b", environment: [:]).store.filePath == here + "/b/store.sqlite")
  }

  @Test func `a missing ferry.json and a folder in its place are named`() throws {
    let folder = try TemporaryFolder()
    let file = ConfigurationFile(workspace: Workspace(flag: folder.path, environment: [:]))
    var failure = #expect(throws: Failure.self) { try file.read() }
    #expect(failure?.name == "no-configuration")
    #expect(failure?.exitCode == .configuration)
    try FileManager.default.createDirectory(
      at: folder.url.appending(path: "ferry.json"), withIntermediateDirectories: false)
    failure = #expect(throws: Failure.self) { try file.read() }
    #expect(failure?.name == "unreadable-configuration")
    failure = #expect(throws: Failure.self) { try file.write(configuration) }
    #expect(failure?.exitCode == .cannotCreate)
  }

  @Test func `a key is read without the white space around it`() throws {
    let folder = try TemporaryFolder()
    try folder.write("  s3cret \n\n", to: "rest.key")
    let file = KeyFile(.restKey, path: "rest.key", in: folder.url)
    #expect(try file.text() == "s3cret")
    #expect(file.warning == nil)
    #expect(KeyFile(.restKey, path: "/abs/key", in: folder.url).file.filePath == "/abs/key")
  }

  @Test(arguments: ["", " \n", "first\nsecond", String(repeating: "x", count: 20_000)])
  func `a file without a key is refused, and its contents stay secret`(content: String) throws {
    let folder = try TemporaryFolder()
    try folder.write(content, to: "master.key")
    let failure = #expect(throws: Failure.self) {
      try KeyFile(.masterKey, path: "master.key", in: folder.url).text()
    }
    #expect(failure?.exitCode == .configuration)
    #expect(failure?.message.contains("master key") == true)
    #expect(failure?.message.contains("second") == false)
  }

  @Test func `a missing key file is refused, and a readable one causes a warning`() throws {
    let folder = try TemporaryFolder()
    let file = KeyFile(.sessionToken, path: "token", in: folder.url)
    let failure = #expect(throws: Failure.self) { try file.text() }
    #expect(failure?.message.contains("No such file or directory") == true)
    try folder.write("r:abc", to: "token", mode: 0o640)
    let warning = try #require(file.warning)
    #expect(warning.contains("chmod 600"))
    #expect(!warning.contains("r:abc"))
  }
}
