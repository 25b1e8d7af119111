// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
package import FerryPlanning

extension SyncReader {
  package func changes(after token: HistoryToken, limit: Int) throws(StoreError) -> [Change] {
    guard limit > 0 else { return [] }
    var changes: [Change] = []
    try forEachLogged(after: token, withValues: false) { logged in
      changes.append(logged.change)
      return changes.count < limit
    }
    return changes
  }

  package func transactions(
    after token: HistoryToken, matching filter: HistoryFilter, limit: Int
  ) throws(StoreError) -> HistoryPage {
    let last = try lastToken()
    guard token <= last else { throw .historyWentBack(to: last, asked: token) }
    var grouping = TransactionGrouping(after: token, filter: filter, limit: limit)
    var notes = NoteCursor(after: token)
    try forEachLogged(after: token, withValues: false) { logged throws(StoreError) in
      let token = logged.change.token
      return grouping.add(logged.change, noted: try notes.note(of: token, in: self))
    }
    var page = grouping.page(through: last)
    page.restorations = restorations
    return page
  }

  package func undoableTransaction() throws(StoreError) -> HistoryTransaction? {
    try newestTransaction(where: \.isUndoable)?.transaction
  }

  package func redoableTransaction() throws(StoreError) -> HistoryTransaction? {
    guard let newest = try newestTransaction(where: \.decidesRedoing), newest.note.step == .undo
    else { return nil }
    return newest.transaction
  }

  /// The newest transaction with changes of classes and fields that the schema declares.
  private func newestTransaction(
    where isWanted: (TransactionNote) -> Bool
  ) throws(StoreError) -> (note: TransactionNote, transaction: HistoryTransaction)? {
    var end = HistoryToken(rawValue: .max)
    while let note = try newestNote(where: { $0.tokens.upperBound < end && isWanted($0) }) {
      let found = try transaction(note)
      if !found.changes.isEmpty { return (note, found) }
      end = note.tokens.upperBound
    }
    return nil
  }

  /// The transaction of a note, with all its changes.
  func transaction(_ note: TransactionNote) throws(StoreError) -> HistoryTransaction {
    var changes: [Change] = []
    let before = HistoryToken(rawValue: note.tokens.lowerBound.rawValue - 1)
    try forEachLogged(after: before, withValues: false) { logged in
      guard note.tokens.contains(logged.change.token) else { return false }
      changes.append(logged.change)
      return true
    }
    return HistoryTransaction(note: note, tokens: note.tokens, changes: changes)
  }
}
