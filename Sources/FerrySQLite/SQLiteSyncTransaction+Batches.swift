// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import FerryStore

extension SQLiteSyncTransaction {
  func insertNewRows(
    _ rows: [Int], of batch: RowBatch, into className: String
  ) throws(StoreError) -> BatchComparison {
    let table = try layout.table(className)
    return try batch.read { view throws(StoreError) in
      let writer = try BatchWriter(self, table, view)
      defer { writer.end() }
      try writer.write(rows)
      try logInsertions(writer.runs, of: table)
      try countAcknowledged(writer.comparison.inserted.count, of: table)
      return writer.comparison
    }
  }

  func overwrite(
    _ matches: [BatchMatch], with batch: RowBatch, in className: String
  ) throws(StoreError) {
    let table = try layout.table(className)
    let names = TableLayout.ownColumns.dropFirst() + table.columns
    let assignments = SQLText.list(names.enumerated().map { "\($1) = ?\($0 + 1)" })
    let update = try statement(
      "UPDATE \(table.table) SET \(assignments) WHERE localId = ?\(names.count + 1)")
    defer { update.forgetBindings() }
    try batch.read { view throws(StoreError) in
      for match in matches {
        for column in 0..<view.width {
          try update.bind(Int32(column + 1), view.cell(match.row, column), of: view)
        }
        try update.bind(Int32(view.width + 1), match.localID.rawValue)
        try update.run()
      }
    }
  }
}
