// Ferry: offline-first sync for Parse Server. MIT licence.

/// The six stages of a sync, in the order they run.
public enum StageName: String, Sendable, Hashable, CaseIterable, Comparable {
  /// Asks the server what changed and writes its answers to disk.
  case download
  /// Brings the staged pages into the store.
  case importing = "import"
  /// Finds rows that are gone on the server and removes them here.
  case deleteMissing = "delete-missing"
  /// Sends rows that were created here.
  case postCreated = "post-created"
  /// Sends fields that were edited here.
  case putUpdated = "put-updated"
  /// Deletes on the server what was deleted here.
  case deleteDeleted = "delete-deleted"

  /// Orders as the stages run.
  public static func < (left: StageName, right: StageName) -> Bool {
    left.position < right.position
  }

  private var position: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}
