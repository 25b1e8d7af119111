// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import FerryStore

/// Writes rows of a batch over those that the store has.
///
/// Where most rows of a page change, the triggers of capture cost more than the updates: the overwriter drops them,
/// and logs the updates itself.
final class BatchOverwriter {
  private let transaction: SQLiteSyncTransaction
  private let table: TableLayout
  private let view: RowBatch.View
  private let update: SQLiteStatement

  init(_ transaction: SQLiteSyncTransaction, _ table: TableLayout, _ view: RowBatch.View)
    throws(StoreError)
  {
    self.transaction = transaction
    self.table = table
    self.view = view
    // The object id is the same: naming it would write its index anew.
    let names = TableLayout.ownColumns.dropFirst(2) + table.columns
    let assignments = SQLText.list(names.enumerated().map { "\($1) = ?\($0 + 2)" })
    update = try transaction.statementLoggedByCaller(
      "UPDATE \(table.table) SET \(assignments) WHERE localId = ?1")
  }

  /// Lets the statement forget the batch.
  func end() { update.forgetBindings() }

  func write(_ matches: [BatchMatch]) throws(StoreError) {
    guard !matches.isEmpty else { return }
    if matches.count >= transaction.bulkUpdate, try !transaction.hasForeignTriggers(on: table) {
      try transaction.dropUpdateTriggers(of: table)
    }
    for match in matches { try write(match) }
    guard transaction.isUncaptured(table) else { return }
    var log = UpdateLog()
    for match in matches {
      log.add(match.localID, match.differing, hasOtherACL: match.hasOtherACL)
    }
    try log.write(of: table, in: transaction)
  }

  private func write(_ match: BatchMatch) throws(StoreError) {
    try update.bind(1, match.localID.rawValue)
    let cells = view.cells[(match.row * view.width)..<((match.row + 1) * view.width)]
    for column in RowBatch.Column.acl..<view.width {
      try update.bind(Int32(column + 1), cells[cells.startIndex + column], of: view)
    }
    try update.run()
    try transaction.refuseIgnored(table)
  }
}
