// Ferry: offline-first sync for Parse Server. MIT licence.

/// Numbers that the store keeps about itself.
enum MetaKey: String {
  /// The log is folded into the outbox up to this token.
  case foldedThrough
  /// History is gone up to this token.
  case prunedThrough
  /// The kept counts of acknowledged rows include the app's deletions up to this token.
  case countedThrough
}
