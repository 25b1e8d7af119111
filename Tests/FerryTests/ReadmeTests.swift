// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import FerryTestSupport
import Foundation
import LoopbackParse
import Testing

@Suite(.timeLimit(.minutes(1))) struct ReadmeTests {
  private static let root = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  @Test func `the program is that of the README`() throws {
    let source = try String(
      contentsOf: Self.root.appending(path: "Tests/FerryTests/ReadmeProgram.swift"), encoding: .utf8
    )
    let lines = source.split(separator: "\n", omittingEmptySubsequences: false)
    let start = try #require(lines.firstIndex { $0.hasSuffix("// README begins") })
    let end = try #require(lines.firstIndex { $0.hasSuffix("// README ends") })
    let program = lines[(start + 1)..<end].map { $0.hasPrefix("  ") ? $0.dropFirst(2) : $0 }
      .joined(separator: "\n")
    let readme = try String(contentsOf: Self.root.appending(path: "README.md"), encoding: .utf8)
    #expect(readme.contains("```swift\n\(program)\n```"))
  }

  @Test func `the program of the README runs`() async throws {
    var configuration = LoopbackConfiguration()
    configuration.applicationId = "demo"
    configuration.restAPIKey = "secret"
    let server = try LoopbackServer(configuration)
    let folder = try TemporaryDirectory()
    let address = try #require(URL(string: server.url))
    let outcome = try await readmeProgram(folder: folder.url, address: address)
    #expect(outcome == .complete)
    let games = server.backend.objects(of: "Game")
    let league = try #require(server.backend.objects(of: "League").first)
    #expect(games.count == 1)
    #expect(games.first?["league"]?["objectId"]?.string == league["objectId"]?.string)
    #expect(games.first?["score"]?.number == 0)
  }
}
