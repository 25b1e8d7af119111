// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
public import FerryPlanning

extension StoreReader {
  /// The whole transaction to which a change belongs.
  ///
  /// ```swift
  /// let token = try store.write { db in
  ///   try db.insert("Game", ["title": "Final"])
  ///   return try db.lastToken()
  /// }
  /// try store.write { db in
  ///   if let transaction = try db.transaction(of: token) { try db.undo(transaction) }
  /// }
  /// ```
  ///
  /// - Parameter token: The position of any change of the transaction.
  /// - Returns: The transaction with all its changes; nil for a position at which history has no change.
  /// - Throws: `StoreError` with code `historyPruned` if the change is older than the history that is kept.
  public func transaction(of token: HistoryToken) throws(StoreError) -> HistoryTransaction? {
    guard token > .start, try token <= lastToken() else { return nil }
    let before = HistoryToken(rawValue: token.rawValue - 1)
    let following = try transactions(after: before, matching: HistoryFilter(), limit: 1)
    guard let end = following.transactions.first?.token else { return nil }
    // A page that begins within edits by plain SQL has only the rest of them.
    let behind = HistoryToken(rawValue: end.rawValue + 1)
    let found = try transactions(before: behind, matching: HistoryFilter(), limit: 1).first
    return found.flatMap {
      $0.token == token || $0.changes.contains { $0.token == token } ? $0 : nil
    }
  }
}
