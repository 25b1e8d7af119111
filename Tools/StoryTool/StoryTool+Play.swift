// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryScenarios
import Foundation

extension StoryTool {
  /// Plays stories, each in its first variant or in all, and ends with 1 if one does not come out as it says.
  static func play(_ paths: [String], inAllVariants: Bool) async {
    var fell = 0
    for path in paths {
      let story: Scenario
      do {
        story = try Scenario(contentsOf: URL(filePath: path))
      } catch {
        end(66, "\(path) cannot be played: \(error)")
      }
      for variant in inAllVariants ? story.variants : Array(story.variants.prefix(1)) {
        do {
          try await story.run(on: variant)
        } catch {
          print("\(path) fell.\n\(error)")
          fell += 1
        }
      }
    }
    print("\(paths.count) stories played, \(fell) fell")
    if fell > 0 { exit(1) }
  }
}
