// Ferry: offline-first sync for Parse Server. MIT licence.

/// Numbers that the store keeps about itself.
enum MetaKey: String {
  /// The token up to which the log is folded into the outbox.
  case foldedThrough
  /// The token up to which history was removed.
  case prunedThrough
  /// The token up to which the stored counts of confirmed rows include the app's deletions.
  case countedThrough
}
