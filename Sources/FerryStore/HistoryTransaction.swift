// Ferry: offline-first sync for Parse Server. MIT licence.

public import FerryModel
public import FerryPlanning

/// The changes of one transaction.
///
/// Edits that another program made by plain SQL carry no mark of their transaction. Those between two transactions of
/// Ferry's stores count as one.
public struct HistoryTransaction: Sendable, Equatable {
  /// The position of its last change, also if the filter left that one out.
  public var token: HistoryToken
  /// When the store wrote it; nil for edits of another program.
  public var time: Timestamp?
  /// The changes that the filter lets pass, oldest first.
  public var changes: [Change]
  /// Whether `undo` made it, so that `redo` may take it back.
  public var isUndo: Bool
  /// Whether a later transaction has taken it back.
  public var isUndone: Bool

  /// Who made the changes.
  public var authors: Set<Author> { Set(changes.map(\.author)) }
  /// The classes of the changes.
  public var classNames: Set<String> { Set(changes.map(\.className)) }

  /// The position of its first change.
  package var first: HistoryToken

  package init(note: TransactionNote?, tokens: ClosedRange<HistoryToken>, changes: [Change]) {
    token = tokens.upperBound
    first = tokens.lowerBound
    time = note?.time
    isUndo = note?.step == .undo
    isUndone = note?.isUndone ?? false
    self.changes = changes
  }
}
