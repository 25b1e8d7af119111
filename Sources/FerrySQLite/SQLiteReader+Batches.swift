// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import FerryStore

extension SQLiteReader {
  func rowsOfOtherVersions(
    in batch: RowBatch, of className: String
  ) throws(StoreError) -> [Int] {
    let table = try layout.table(className)
    return try batch.read { view throws(StoreError) in
      var search = try VersionSearch(self, table, view)
      defer { search.end() }
      var rows: [Int] = []
      for row in 0..<batch.rowCount where try !search.finds(row) { rows.append(row) }
      return rows
    }
  }

  func entangledRows(
    among candidates: [Int], of batch: RowBatch, in className: String
  ) throws(StoreError) -> [Int] {
    var questions: [SQLiteStatement] = []
    // Most classes have no row in these tables, so that nobody asks for the ids of a page.
    for table in Self.entangling {
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
    let filter = try questions.isEmpty ? nil : entangledIDs(of: className, for: batch)
    return try batch.read { view throws(StoreError) in
      var rows: [Int] = []
      for row in candidates {
        var isEntangled = withPointers.contains(row)
        let objectID = view.cell(row, RowBatch.Column.objectID)
        if filter?.mayHold(view.bytes(objectID)) != false {
          for question in questions where !isEntangled {
            try question.bind(2, objectID, of: view)
            isEntangled = try question.first { _ in true } == true
          }
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

  /// The tables of which a row names the object id of a row that the planner must look at.
  private static let entangling = ["ferry_outbox", "ferry_quarantine", "ferry_identity"]
  /// From this number of rows on, a page pays for the filter.
  private static let rowsForFilter = 100

  /// The filter of a class; nil for so small a page that it would cost more than it spares.
  private func entangledIDs(
    of className: String, for batch: RowBatch
  ) throws(StoreError) -> EntangledIDs? {
    let version = try statement("PRAGMA data_version").first { $0.integer(0) } ?? 0
    if let known = connection.entangledIDs.known(className, at: version) { return known }
    guard batch.rowCount >= Self.rowsForFilter else { return nil }
    var (ids, count) = (EntangledIDs(), 0)
    for table in Self.entangling {
      let rows = try statement("SELECT objectId FROM \(table) WHERE class = ?1 LIMIT ?2")
        .bound(className, EntangledIDs.capacity - count + 1)
      defer { rows.reset() }
      while try rows.step() {
        rows.withText(0) { ids.insert($0) }
        count += 1
      }
      guard count <= EntangledIDs.capacity else {
        ids = .all
        break
      }
    }
    connection.entangledIDs.keep(ids, of: className)
    return ids
  }

  /// The columns in which an id may be one that was replaced; nil where none was.
  private func aliasedColumns(of className: String) throws(StoreError) -> [Int]? {
    let question = try statement("SELECT 1 FROM ferry_alias WHERE old > '' LIMIT 1")
    guard try question.first({ _ in true }) == true else { return nil }
    return [RowBatch.Column.objectID] + (try layout.table(className).entity.pointerColumns)
  }
}
