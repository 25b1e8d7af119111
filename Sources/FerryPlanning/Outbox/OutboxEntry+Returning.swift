// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel

extension OutboxEntry {
  /// The unsent removal of a record, after the app added the pair again under an id that this device minted.
  ///
  /// Folding knows records by their ids, so it took the row for a new record.
  ///
  /// - Parameters:
  ///   - row: The new row.
  ///   - token: The position of the insert in history.
  /// - Returns: The change that is left; nil if the server already has what the app wants.
  package func returning(as row: Record, at token: HistoryToken) -> OutboxEntry? {
    var draft = ChangeFolding.Draft(self)
    // Rows of members have no field with a merge.
    draft.bringBack(as: row.fields, merged: [])
    draft.entry.localID = row.localID
    draft.wake(at: max(token, foldedThrough))
    return draft.reconcile(on: row) ? draft.entry : nil
  }

  /// Whether its only change is that the engine let its pointers name records by other ids.
  package var isRewrittenAlone: Bool { kind == .update && !rewritten.isEmpty && edited.isEmpty }
}
