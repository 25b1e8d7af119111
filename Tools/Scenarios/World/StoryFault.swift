// Ferry: offline-first sync for Parse Server. MIT licence.

/// The reason why a story cannot go on, in a sentence without a full stop.
struct StoryFault: Error, CustomStringConvertible {
  var description: String

  init(_ description: String) { self.description = description }
}
