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
    var grouping = TransactionGrouping(after: token, filter: filter, limit: limit)
    var notes = NoteCursor(after: token)
    try forEachLogged(after: token, withValues: false) { logged throws(StoreError) in
      let token = logged.change.token
      return grouping.add(logged.change, noted: try notes.note(of: token, in: self))
    }
    return grouping.page(through: try lastToken())
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

/// Walks through the notes of transactions beside their changes.
private struct NoteCursor {
  private var page: ArraySlice<TransactionNote> = []
  private var last: HistoryToken
  private var isAtEnd = false

  init(after token: HistoryToken) { last = token }

  /// The note of the transaction that made a change; tokens only grow from call to call.
  mutating func note(
    of token: HistoryToken, in reader: any SyncReader
  ) throws(StoreError) -> TransactionNote? {
    while true {
      while let note = page.first, note.tokens.upperBound < token { page = page.dropFirst() }
      if let note = page.first { return note.tokens.contains(token) ? note : nil }
      guard !isAtEnd else { return nil }
      let notes = try reader.transactionNotes(after: last, limit: 1000)
      isAtEnd = notes.isEmpty
      last = notes.last?.tokens.upperBound ?? last
      page = notes[...]
    }
  }
}

/// Puts the changes of a transaction together.
private struct TransactionGrouping {
  private let filter: HistoryFilter
  private let limit: Int
  private var page = HistoryPage(transactions: [], through: .start, hasMore: false)
  /// The transaction to which the last change belongs.
  private var open: HistoryTransaction?
  private var openNote: TransactionNote?

  init(after token: HistoryToken, filter: HistoryFilter, limit: Int) {
    self.filter = filter
    self.limit = max(limit, 1)
    page.through = token
  }

  /// Adds the next change; false if it belongs behind the page.
  mutating func add(_ change: Change, noted note: TransactionNote?) -> Bool {
    if open == nil || note != openNote {
      close()
      guard page.transactions.count < limit else {
        page.hasMore = true
        return false
      }
      open = HistoryTransaction(
        note: note, tokens: note?.tokens ?? change.token...change.token, changes: [])
      openNote = note
    }
    if note == nil { open?.token = change.token }
    if filter.accepts(change) { open?.changes.append(change) }
    return true
  }

  private mutating func close() {
    guard let closed = open else { return }
    open = nil
    page.through = closed.token
    if !closed.changes.isEmpty { page.transactions.append(closed) }
  }

  mutating func page(through last: HistoryToken) -> HistoryPage {
    close()
    // Changes behind the last transaction concern only fields and classes that this program does not declare.
    if !page.hasMore { page.through = max(page.through, last) }
    return page
  }
}
