// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import Foundation

/// Removals that the delete guard counts, by the environment's day.
package struct RemovalTally: Equatable, Sendable {
  package var day: Int64 = 0
  package var local = 0
  package var server = 0

  package init(day: Int64 = 0, local: Int = 0, server: Int = 0) {
    self.day = day
    self.local = local
    self.server = server
  }
}

extension RemovalTally {
  /// The tally on a day: empty if it was of another day.
  package func on(_ day: Int64) -> RemovalTally { self.day == day ? self : RemovalTally(day: day) }
}
