// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryScenarios
import Foundation

extension FuzzTarget {
  /// The layout of a story keeps the story, and is its own layout.
  static func checkStory(_ bytes: Data) throws(BrokenLaw) {
    let text = String(decoding: bytes, as: UTF8.self)
    let story = try? Scenario(text)
    let formatted = StoryFormat.formatted(text)
    guard let story else { return }
    let again: Scenario
    do {
      again = try Scenario(formatted)
    } catch {
      throw BrokenLaw("\(error) The story was readable before its layout: \(formatted)")
    }
    try law(
      again.number == story.number && again.title == story.title,
      "Its layout makes \(again.title) of \(story.title).")
    let twice = StoryFormat.formatted(formatted)
    try law(twice == formatted, "The layout of \(formatted) is \(twice)")
  }
}
