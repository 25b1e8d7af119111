// Ferry: offline-first sync for Parse Server. MIT licence.

/// What a commit survives.
package enum Durability: Sendable {
  /// Power loss: for what cannot be had again.
  case full
  /// The end of the process: for what the next sync would bring again.
  case normal
}
