// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryScenarios
import Foundation

extension StoryTool {
  /// How to play stories.
  struct Choices {
    var inAllVariants = false
    var untilOneFalls = false
  }

  /// Plays stories, each in its first variant or in all, and ends with 1 if one does not come out as it says.
  static func play(_ paths: [String], _ choices: Choices) async {
    var fell = 0
    for path in paths {
      let story: Scenario
      do {
        story = try Scenario(contentsOf: URL(filePath: path))
      } catch {
        let reason = (error as? ScenarioError)?.description ?? error.localizedDescription
        end(66, "\(path) cannot be played: \(reason)")
      }
      for variant in choices.inAllVariants ? story.variants : Array(story.variants.prefix(1)) {
        do {
          try await story.run(on: variant)
        } catch {
          print("\(path) fell.\n\(error)")
          if choices.untilOneFalls { exit(1) }
          fell += 1
        }
      }
    }
    print("\(paths.count) stories played, \(fell) fell")
    if fell > 0 { exit(1) }
  }
}
