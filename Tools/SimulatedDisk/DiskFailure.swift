// Ferry: offline-first sync for Parse Server. MIT licence.

/// A failure of a disk, and its moment.
public enum DiskFailure: Sendable, Hashable {
  /// The power goes at a change, after that number of changes since the last failure.
  case losesPower(afterChanges: Int, PowerLoss)
  /// The disk refuses an operation, after that number since the last failure; once, or until the disk is mended.
  case refuses(afterOperations: Int, DiskError, isForGood: Bool)
}
