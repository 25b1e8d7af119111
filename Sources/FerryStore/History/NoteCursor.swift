// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryPlanning

/// Walks through the notes of transactions beside their changes.
struct NoteCursor {
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
