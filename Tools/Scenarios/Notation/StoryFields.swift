// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel

/// Fields that a class is declared with, or gains.
struct StoryFields: Sendable {
  var className: String
  var fields: [Field]
}
