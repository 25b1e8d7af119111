// Ferry: offline-first sync for Parse Server. MIT licence.

/// A decision of an app about its own edits.
public enum Decision: Hashable, Sendable {
  /// It undoes its last transaction.
  case undo
  /// It redoes the one that it undid last.
  case redo
  /// It discards the unsent change of a row.
  case discard(String)
  /// It discards all unsent changes.
  case discardAll
  /// It lets the next sync send the parked change of a row again.
  case retry(String)
  /// It lets the next sync send all parked changes again.
  case retryAll
  /// It restores the newest conflict record of a row; a story tells each restore so.
  case restore(String)
  /// It restores the newest conflict record.
  case restoreLast
  /// It restores all that one sync overwrote or removed.
  case restoreRun

  /// As a story writes it; a story names each row.
  var text: String {
    switch self {
    case .undo: "undo"
    case .redo: "redo"
    case .discard(let row): "discard \(row)"
    case .retry(let row): "retry \(row)"
    case .restore(let row): "restore \(row)"
    case .discardAll, .retryAll, .restoreLast, .restoreRun: ""
    }
  }
}
