// Ferry: offline-first sync for Parse Server. MIT licence.

public import FerryModel

/// An unsaved edit of a snapshot that meets a change of the same value in the store.
///
/// A sync, the app elsewhere, or another program has changed the value since the app saw it. `Snapshot.save()` refuses
/// until the app has chosen one side with `Snapshot.resolve(_:keeping:)`.
public struct SnapshotConflict: Sendable, Equatable {
  /// The side that the app keeps.
  public enum Side: Sendable, Hashable {
    /// The unsaved edit: the next save writes it.
    case edit
    /// The value in the store: the edit is dropped.
    case stored
  }

  /// The row.
  public var row: RecordReference
  /// The field that both changed; nil if the row is deleted on one side.
  public var field: String?
  /// The values that the app saw when it edited.
  public var seen: Fields
  /// The values of the edit; nil if the app wants the row deleted.
  public var edited: Fields?
  /// The values in the store; nil if the row is gone.
  public var stored: Fields?
}
