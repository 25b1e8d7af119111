// Ferry: offline-first sync for Parse Server. MIT licence.

/// The six stages of a sync, in the order they run.
public enum StageName: String, Sendable, Hashable, CaseIterable, Comparable {
  /// Asks the server for changes and writes its answers to disk.
  case download
  /// Imports the staged pages into the store.
  case importing = "import"
  /// Finds rows that are gone on the server and removes them locally.
  case deleteMissing = "delete-missing"
  /// Creates new local rows on the server.
  case postCreated = "post-created"
  /// Sends local edits to the server.
  case putUpdated = "put-updated"
  /// Deletes locally deleted rows on the server.
  case deleteDeleted = "delete-deleted"

  /// Orders as the stages run.
  public static func < (left: StageName, right: StageName) -> Bool {
    left.position < right.position
  }

  private var position: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}
