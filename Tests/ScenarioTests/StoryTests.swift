// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryScenarios
import Foundation
import Testing

/// The stories of `Fixtures/scenarios`, each in every possible variant.
@Suite(.timeLimit(.minutes(5))) struct StoryTests {
  static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../Fixtures/scenarios").standardizedFileURL

  static let allFiles =
    ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [])
    .filter { $0.hasSuffix(".txt") }.sorted { $0.localizedStandardCompare($1) == .orderedAscending }

  /// The stories to run.
  static let files = allFiles.filter(isWanted)

  private static func isWanted(_ file: String) -> Bool {
    let wanted = (ProcessInfo.processInfo.environment["FERRY_STORIES"] ?? "").split(separator: ",")
    return wanted.isEmpty || wanted.contains { file.hasPrefix($0) }
  }

  /// All variants of a story, or a few in which every two properties meet.
  private static func variants(of story: Scenario) -> [ScenarioVariant] {
    let asked = ProcessInfo.processInfo.environment["FERRY_STORY_VARIANTS"]
    return switch asked {
    case "pairwise": ScenarioVariant.pairwise(among: story.variants)
    case "first": Array(story.variants.prefix(1))
    default: story.variants
    }
  }

  @Test(arguments: files) func `a story comes out as it says`(file: String) async throws {
    let story = try Scenario(contentsOf: Self.folder.appending(path: file))
    // Variants wait for disks more than for one another.
    await withTaskGroup { group in
      for variant in Self.variants(of: story) {
        group.addTask { await #expect(throws: Never.self) { try await story.run(on: variant) } }
      }
    }
  }

  @Test(arguments: allFiles) func `a story's file is named by its number and its content`(
    file: String
  ) throws {
    let name = try #require(
      file.wholeMatch(of: /S0?(\d+)[a-z]?(-[a-z0-9]+)+\.txt/), "as S16a-sql-replace.txt")
    let story = try Scenario(contentsOf: Self.folder.appending(path: file))
    #expect(story.number == "S\(name.1)")
  }

  /// The article promises only what a story proves.
  @Test func `the article names stories that exist`() throws {
    let article = Self.folder.appending(path: "../../Sources/Ferry/Ferry.docc/what-to-rely-on.md")
    let text = try String(contentsOf: article.standardizedFileURL, encoding: .utf8)
    let told = Set(Self.allFiles.compactMap { $0.firstMatch(of: /^S0?(\d+)/)?.1 })
    let named = Set(text.matches(of: /\bS0?(\d+)\b/).map(\.1))
    #expect(!named.isEmpty)
    #expect(named.subtracting(told).isEmpty)
  }
}
