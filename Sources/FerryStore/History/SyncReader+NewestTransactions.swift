// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryPlanning

extension SyncReader {
  package func transactions(
    before token: HistoryToken?, matching filter: HistoryFilter, limit: Int
  ) throws(StoreError) -> [HistoryTransaction] {
    let (limit, kept) = (max(limit, 1), try historyExtent())
    let last = HistoryToken(rawValue: min(token?.rawValue ?? .max, kept.last.rawValue + 1) - 1)
    var newest: [HistoryTransaction] = []
    var end = last
    // Notes say where a transaction begins; edits by plain SQL have none. So a stretch of history is read forwards,
    // and the transaction at its start, which it may cut, is read again with the stretch before it.
    var length = Int64(256)
    while end > kept.prunedThrough, newest.count < limit {
      let start = max(HistoryToken(rawValue: end.rawValue - length), kept.prunedThrough)
      var found = try transactions(in: start, through: end)[...]
      let isWhole = start == kept.prunedThrough
      let cut = isWhole ? nil : found.popFirst()
      newest += found.reversed().compactMap { $0.only(filter, through: last) }
      end = isWhole ? start : cut.map { min($0.lastChange, end) } ?? start
      length *= 2
    }
    return Array(newest.prefix(limit))
  }

  /// All transactions with changes in a stretch of history; it may cut the first one.
  private func transactions(
    in start: HistoryToken, through end: HistoryToken
  ) throws(StoreError) -> [HistoryTransaction] {
    var grouping = TransactionGrouping(after: start, filter: HistoryFilter(), limit: .max)
    var notes = NoteCursor(after: start)
    try forEachLogged(after: start, withValues: false) { logged throws(StoreError) in
      let token = logged.change.token
      guard token <= end else { return false }
      return grouping.add(logged.change, noted: try notes.note(of: token, in: self))
    }
    return grouping.page(through: end).transactions
  }
}

extension HistoryTransaction {
  /// The position of the last change that is listed.
  fileprivate var lastChange: HistoryToken { changes.last?.token ?? token }

  /// The transaction with the changes that pass; nil if none passes, or if it goes on behind a position.
  fileprivate func only(_ filter: HistoryFilter, through last: HistoryToken) -> Self? {
    var wanted = self
    wanted.changes = changes.filter(filter.accepts)
    return wanted.changes.isEmpty || token > last ? nil : wanted
  }
}
