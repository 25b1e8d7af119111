// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel

/// The answer to a write.
package enum WriteAnswer: Sendable, Equatable {
  case created(ParseCreated)
  case updated(ParseUpdated)
  case deleted
}
