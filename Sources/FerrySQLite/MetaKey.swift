// Ferry: offline-first sync for Parse Server. MIT licence.

/// Numbers that the store keeps about itself.
enum MetaKey: String {
  /// The token up to which the log is folded into the outbox.
  case foldedThrough
  /// The token up to which history was removed.
  case prunedThrough
  /// The token up to which the stored counts of confirmed rows include the app's deletions.
  case countedThrough
  /// How often fields went to other columns.
  case moves
  /// How often a program declared fields that the database did not know, or gave a column to another field.
  case fieldChanges
  /// The schema that was installed last, with what the database had afterwards.
  case installed
  /// The number of the engine's commits that changed anything.
  case engineCommits
}
