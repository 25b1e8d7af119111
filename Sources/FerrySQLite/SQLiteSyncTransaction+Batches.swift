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
    try batch.read { view throws(StoreError) in
      let overwriter = try BatchOverwriter(self, table, view)
      defer { overwriter.end() }
      try overwriter.write(matches)
    }
  }
}
