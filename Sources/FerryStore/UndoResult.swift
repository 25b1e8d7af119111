// Ferry: offline-first sync for Parse Server. MIT licence.

public import FerryPlanning

/// The outcome of an undo or a redo.
public struct UndoResult: Sendable, Equatable {
  /// An edit, or some fields of one, that stayed.
  public struct KeptEdit: Sendable, Equatable {
    /// The edit, with the fields that stayed.
    public var edit: RecordEdit
    /// Why it stayed.
    public var reason: Reason
  }

  /// Why an edit stayed.
  public enum Reason: String, Sendable, Codable {
    /// The app, another program or a sync has changed the values since.
    case changedSince = "changed-since"
    /// The row is gone.
    case rowIsGone = "row-is-gone"
    /// The deleted row is there again.
    case rowIsBack = "row-is-back"
    /// A field has another type now, and cannot hold the value.
    case valueNoLongerFits = "value-no-longer-fits"
    /// The row has fields that only other programs declare, so it would come back without them.
    case needsOtherProgram = "needs-other-program"
  }

  /// The transaction that was taken back.
  public var token: HistoryToken
  /// The edits that were taken back, by record.
  public var undone: [RecordEdit]
  /// The edits that stayed, by record and reason.
  public var kept: [KeptEdit]

  package init(token: HistoryToken, undone: [RecordEdit], kept: [KeptEdit]) {
    self.token = token
    self.undone = undone
    self.kept = kept
  }
}
