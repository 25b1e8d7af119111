// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import FerryStore

extension SQLiteReader {
  func entangledRows(of batch: RowBatch, in className: String) throws(StoreError) -> [Int] {
    var questions: [SQLiteStatement] = []
    // Most classes have no row in these tables, so that nobody asks for the ids of a page.
    for table in ["ferry_outbox", "ferry_quarantine", "ferry_identity"] {
      let isThere = try statement("SELECT 1 FROM \(table) WHERE class = ? LIMIT 1")
        .bound(className).first { _ in true }
      guard isThere == true else { continue }
      let question = try statement("SELECT 1 FROM \(table) WHERE class = ?1 AND objectId = ?2")
      questions.append(try question.bound(className))
    }
    let columns = try aliasedColumns(of: className)
    guard !questions.isEmpty || columns != nil else { return [] }
    let alias = try statement("SELECT 1 FROM ferry_alias WHERE old = ?1")
    defer { for question in questions + [alias] { question.forgetBindings() } }
    let withPointers = columns == nil ? [] : Set(batch.rowsWithInnerPointers)
    return try batch.read { view throws(StoreError) in
      var rows: [Int] = []
      for row in 0..<batch.rowCount {
        var isEntangled = withPointers.contains(row)
        for question in questions where !isEntangled {
          try question.bind(2, view.cell(row, RowBatch.Column.objectID), of: view)
          isEntangled = try question.first { _ in true } == true
        }
        for column in columns ?? [] where !isEntangled {
          try alias.bind(1, view.cell(row, column), of: view)
          isEntangled = try alias.first { _ in true } == true
        }
        if isEntangled { rows.append(row) }
      }
      return rows
    }
  }

  /// The columns in which an id may be one that was replaced; nil where none was.
  private func aliasedColumns(of className: String) throws(StoreError) -> [Int]? {
    let question = try statement("SELECT 1 FROM ferry_alias WHERE old > '' LIMIT 1")
    guard try question.first({ _ in true }) == true else { return nil }
    return [RowBatch.Column.objectID] + (try layout.table(className).entity.pointerColumns)
  }
}
