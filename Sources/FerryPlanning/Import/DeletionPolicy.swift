// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel

/// What stays when a record was deleted on one side and edited on the other.
public enum DeletionPolicy: Sendable, Hashable {
  /// The record goes; the losing edit is among the conflicts. The default.
  case deleteWins
  /// The record stays: it is created anew with its whole content, or the delete is taken back.
  case editWins
}
