// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel

/// The result if a record was deleted on one side and edited on the other.
public enum DeletionPolicy: Sendable, Hashable {
  /// The record is removed, and the losing edit becomes a conflict record. The default.
  case deleteWins
  /// The record stays: it is created again with its whole content, or the delete is undone.
  case editWins
}
