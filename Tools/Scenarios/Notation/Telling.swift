// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel

/// One way a story goes: its text with one choice for each of its alternatives.
struct Telling: Sendable {
  /// An event or an expectation, in the order of the story.
  enum Part: Sendable {
    case tick(Tick)
    case expectation(Expectation)
  }

  /// The choice made for each alternative, for messages.
  var choices: [String] = []
  /// The classes as the devices declare them at first.
  var schema: Schema
  /// The classes as the server declares them at first.
  var serverSchema: Schema
  var options: StoryOptions
  /// The rows that are on the server, and that all devices have, before the story begins.
  var given: [StoryRows] = []
  var devices: [String] = []
  var parts: [Part] = []
}
