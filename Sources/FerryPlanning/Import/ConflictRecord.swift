// Ferry: offline-first sync for Parse Server. MIT licence.

public import FerryModel

/// A value that a sync overwrote or removed, and why; one call brings it back.
public struct ConflictRecord: Sendable, Equatable {
  /// Why a value was lost.
  public enum Reason: String, Sendable, Codable {
    /// Both sides changed the field; the server's value was kept.
    case remoteWon
    /// Both sides changed the field; the value from here was kept, the server's is in the entry.
    case localWon
    /// Both sides changed the field; the app's resolver chose.
    case resolved
    /// The record was deleted on the server while it had unsent edits here.
    case deletedRemotely
    /// The record was edited on the server while it was deleted here.
    case editedRemotely
    /// The record was removed here because it is gone on the server.
    case removed
    /// Two server records came of one create; this one was merged and deleted.
    case duplicateMerged
  }

  /// The entry's number; nil before it is stored.
  public var id: Int64?
  /// When, by the clock of the environment.
  public var time: Timestamp
  /// The record, as it was named then.
  public var record: RecordReference
  /// Why the values were lost.
  public var reason: Reason
  /// The values that were lost: single fields, or the whole record.
  public var lost: Fields
  /// Whether the whole record was lost, not only fields of it.
  public var isWholeRecord: Bool
  /// Whether the values have been brought back since.
  public var isRestored: Bool

  package init(
    id: Int64? = nil, time: Timestamp, record: RecordReference, reason: Reason, lost: Fields,
    isWholeRecord: Bool = false, isRestored: Bool = false
  ) {
    self.id = id
    self.time = time
    self.record = record
    self.reason = reason
    self.lost = lost
    self.isWholeRecord = isWholeRecord
    self.isRestored = isRestored
  }
}
