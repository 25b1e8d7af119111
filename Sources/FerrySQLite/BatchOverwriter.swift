// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import FerryStore

/// Writes rows of a batch over those that the store has.
///
/// Where most rows of a page change, the triggers of capture cost more than the updates: the overwriter drops them,
/// and logs the updates itself. The log of a sync's update needs no old values, only which fields changed.
final class BatchOverwriter {
  /// How many rows of the log one statement appends.
  private static let rowsPerAppend = 16

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
    if transaction.isUncaptured(table) { try log(matches.filter { !$0.differing.isEmpty }) }
  }

  private func write(_ match: BatchMatch) throws(StoreError) {
    try update.bind(1, match.localID.rawValue)
    for column in RowBatch.Column.acl..<view.width {
      try update.bind(Int32(column + 1), view.cell(match.row, column), of: view)
    }
    try update.run()
    try transaction.refuseIgnored(table)
  }

  private func log(_ matches: [BatchMatch]) throws(StoreError) {
    var rest = matches[...]
    while !rest.isEmpty {
      let count = rest.count >= Self.rowsPerAppend ? Self.rowsPerAppend : 1
      let append = try transaction.statement(table.updateLog(ofRows: count))
      while rest.count >= count {
        try self.append(rest.prefix(count), with: append)
        rest = rest.dropFirst(count)
      }
    }
  }

  private func append(
    _ matches: ArraySlice<BatchMatch>, with statement: SQLiteStatement
  ) throws(StoreError) {
    let fields = table.entity.fields
    var first: Int32 = 1
    for match in matches {
      try statement.bind(first, match.localID.rawValue)
      for position in fields.indices { try statement.bindNull(first + 1 + Int32(position)) }
      for position in match.differing {
        let index = first + 1 + Int32(position)
        // As capture writes the old value of a field that had none.
        if fields[position].type == .bytes {
          try statement.bind(index, 0 as Int64)
        } else {
          try statement.bind(index, [UInt8]())
        }
      }
      first += Int32(fields.count) + 1
    }
    try statement.run()
  }
}

extension TableLayout {
  /// Appends updates of the engine to the log: the row, and a value for each field.
  fileprivate func updateLog(ofRows count: Int) -> String {
    let parameters = SQLText.parameters(positions.count + 1)
    let row =
      "(\(classNumber), \(Author.sync.rawValue), \(LogKind.update.rawValue), \(parameters))"
    return "INSERT INTO ferry_log (class, author, kind, localId, "
      + SQLText.list(positions.map { "v\($0)" }) + ") VALUES "
      + SQLText.list(Array(repeating: row, count: count))
  }
}
