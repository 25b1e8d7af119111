// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel

/// The result if a record was deleted on one side and edited on the other.
public enum DeletionPolicy: Sendable, Hashable {
  /// The record is removed, and the losing edit becomes a conflict record. The default.
  case deleteWins
  /// The record stays: it is created again with its whole content, or the delete is undone.
  case editWins
}

extension DeletionPolicy {
  /// Why a row with unsent edits is removed where deletes win.
  static let sentenceOfLostEdit =
    "Gone on the server and edited locally: the row is removed, and kept as a conflict record."
}
