// Ferry: offline-first sync for Parse Server. MIT licence.

public import FerryModel

/// A value that a sync overwrote or removed, and the reason; one call restores it.
public struct ConflictRecord: Sendable, Equatable {
  /// Why a value was lost.
  public enum Reason: String, Sendable, Codable {
    /// Both sides changed the field. The server's value was kept.
    case remoteWon
    /// Both sides changed the field. The local value was kept; this record holds the server's
    /// value.
    case localWon
    /// Both sides changed the field. The app's resolver chose.
    case resolved
    /// Both sides changed the field. The app's resolver failed, so the server's value was kept.
    case resolverFailed
    /// The record was deleted on the server while it had unsent local edits.
    case deletedRemotely
    /// The record was edited on the server while it was deleted locally.
    case editedRemotely
    /// The local row was removed because its record is gone on the server.
    case removed
    /// A trigger of another program removed the local row while a sync wrote, and keeps it out.
    case removedByTrigger
    /// One create made two server records. This one was merged into the other and deleted.
    case duplicateMerged
  }

  /// The number of the conflict record; nil before it is stored.
  public var id: Int64?
  /// When the value was lost, by this device's clock.
  public var time: Timestamp
  /// The record, as it was named at that time.
  public var record: RecordReference
  /// Why the values were lost.
  public var reason: Reason
  /// The lost values: single fields, or the whole record.
  public var lost: Fields
  /// The values that stayed in the row instead, for single fields in conflict; empty otherwise.
  public var kept: Fields
  /// Whether the whole record was lost, not only fields of it.
  public var isWholeRecord: Bool
  /// The access control list of a whole record that had one; null otherwise.
  public var acl: Value
  /// Whether the values have been restored since.
  public var isRestored: Bool
  /// The row in which the values were restored; nil if they were not, or an older version of Ferry restored them.
  package var restoredRow: LocalID?
  /// Whether the app has marked the conflict record as seen, or restored it.
  public var isSeen: Bool
  /// The run that wrote the conflict record, as `SyncReport.conflictRun` names it; nil if an older version of Ferry
  /// wrote it.
  public var run: Int64?

  package init(
    id: Int64? = nil, time: Timestamp, record: RecordReference, reason: Reason, lost: Fields,
    kept: Fields = [:], isWholeRecord: Bool = false, acl: Value = .null, isRestored: Bool = false,
    restoredRow: LocalID? = nil, isSeen: Bool = false, run: Int64? = nil
  ) {
    self.id = id
    self.time = time
    self.record = record
    self.reason = reason
    self.lost = lost
    self.kept = kept
    self.isWholeRecord = isWholeRecord
    self.acl = acl
    self.isRestored = isRestored
    self.restoredRow = restoredRow
    self.isSeen = isSeen
    self.run = run
  }
}
