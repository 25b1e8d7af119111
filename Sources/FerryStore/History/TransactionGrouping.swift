// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryPlanning

/// Puts the changes of a transaction together.
struct TransactionGrouping {
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
