// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryScenarios
import FerryTestSupport
import Foundation
import LoopbackParse
import Testing

/// The stories that also run on a real server, one after another on the same one.
@Suite(.enabled(if: RealServer.script != nil), .timeLimit(.minutes(10))) struct RealStoryTests {
  /// Stories with Ferry's Cloud Code have these classes on a real server, and no log: its triggers would take the place of
  /// the stories' own.
  private static let moduleClasses: [LoopbackValue] = ["Game", "League", "Team"]

  @Test(arguments: [LoopbackCollation.codePoint, .english])
  func `a story comes out the same on a real server`(collation: LoopbackCollation) async throws {
    let code = StoryTests.folder.appending(path: "cloud.js")
    let options = RealServer.Options(
      collation: collation == .english ? "en-US" : nil,
      cloudCode: try String(contentsOf: code, encoding: .utf8),
      module: ["classes": .array(Self.moduleClasses), "logged": []])
    try await RealServer.running(options) { server in
      for file in StoryTests.files {
        let story = try Scenario(contentsOf: StoryTests.folder.appending(path: file))
        for variant in story.realVariants where variant.collation == collation {
          await #expect(throws: Never.self) {
            try await story.run(on: variant) { try RealStoryServer(server, $0) }
          }
        }
      }
    }
  }
}
