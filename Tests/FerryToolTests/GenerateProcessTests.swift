// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryParse
import Foundation
import Testing

@testable import FerryTool

/// `ferry generate swift`, as a process and as text.
@Suite(.timeLimit(.minutes(10)))
struct GenerateProcessTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../..").standardized

  /// GeneratedTests compiles the file, and holds it against the same ferry.json.
  @Test func `the code of the fixture is the file that GeneratedTests compiles`() throws {
    let json = try Data(contentsOf: Self.root.appending(path: "Fixtures/generated/ferry.json"))
    let text = SwiftFile(try SyncConfiguration(json: json).schema).text
    try Snapshot.expect(
      text, isIn: Self.root.appending(path: "Tests/GeneratedTests/Generated.swift"))
    #expect(text.utf8.allSatisfy { $0 == UInt8(ascii: "\n") || (0x20..<0x7F).contains($0) })
  }

  @Test func `a file is written once, brought up to date, and never taken from its author`()
    async throws
  {
    let world = try ToolWorld()
    try world.configure()
    let printed = try await world.ferry("generate", "swift")
    #expect(printed.code == 0)
    let first = try await world.ferry("generate", "swift", "--out", "Rows.swift")
    #expect(first.code == 0)
    #expect(first.output == "Wrote Rows.swift: 2 classes.\n")
    #expect(try text(world, "Rows.swift") == printed.output)
    #expect(printed.output.hasPrefix(SwiftFile.firstLine + "\n"))
    let old = try date(world)
    let second = try await world.ferry("generate", "swift", "--out", "Rows.swift")
    #expect(second.output == "Rows.swift is as it should be: 2 classes.\n")
    #expect(try date(world) == old)

    try world.configure(classes: #"{ "Game": { "fields": { "title": { "type": "String" } } } }"#)
    let third = try await world.ferry("generate", "swift", "--out", "Rows.swift", "--json")
    #expect(third.lastMessage?["changed"] as? Bool == true)
    #expect(try !text(world, "Rows.swift").contains("League"))
    #expect(try files(world) == ["Rows.swift", "ferry.json"])
  }

  @Test(arguments: ["let own = 1\n", "\n" + SwiftFile.firstLine + "\n"])
  func `a file of another author stays`(content: String) async throws {
    let world = try ToolWorld()
    try world.configure()
    try world.folder.write(content, to: "Own.swift")
    let result = try await world.ferry("generate", "swift", "--out", "Own.swift", "--json")
    #expect(result.code == 73)
    #expect(result.lastMessage?["name"] as? String == "exists")
    #expect(try text(world, "Own.swift") == content)
  }

  @Test(arguments: ["none/Rows.swift", "folder", "/dev/null/Rows.swift"])
  func `a place that cannot be written to is an error`(path: String) async throws {
    let world = try ToolWorld()
    try world.configure()
    try FileManager.default.createDirectory(
      at: world.folder.url.appending(path: "folder"), withIntermediateDirectories: false)
    let result = try await world.ferry("generate", "swift", "--out", path)
    #expect(result.code == 73)
    #expect(result.errors.contains("ferry cannot write"))
    #expect(try files(world) == ["ferry.json", "folder"])
  }

  @Test func `without a ferry json there is nothing to generate`() async throws {
    let world = try ToolWorld()
    #expect(try await world.ferry("generate", "swift", "--out", "Rows.swift").code == 78)
    #expect(try await world.ferry("generate", "kotlin").code == 64)
    #expect(try await world.ferry("generate").code == 64)
    #expect(try files(world) == [])
  }

  private func text(_ world: ToolWorld, _ name: String) throws -> String {
    try String(contentsOf: world.folder.url.appending(path: name), encoding: .utf8)
  }

  private func date(_ world: ToolWorld) throws -> Date? {
    try FileManager.default.attributesOfItem(atPath: world.path("Rows.swift"))[.modificationDate]
      as? Date
  }

  private func files(_ world: ToolWorld) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: world.folder.path).sorted()
  }
}
