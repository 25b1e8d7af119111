// Ferry: offline-first sync for Parse Server. MIT licence.

/// The failures that a commit survives.
package enum Durability: Sendable {
  /// Power loss; for data that cannot be fetched again.
  case full
  /// The end of the process; for data that the next sync would fetch again.
  case normal
}
