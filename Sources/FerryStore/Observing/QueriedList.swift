// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel

/// The rows of a query in their order, which takes in changed rows one by one.
struct QueriedList: Sendable {
  /// What changed rows do to a list.
  enum Outcome {
    case unchanged, changed
    /// Rows behind the query's limit, or before its offset, decide it: the query has to be read anew.
    case unknown
  }

  private(set) var rows: [Record]
  private var localIDs: Set<LocalID>
  private let query: Query

  init(_ query: Query, rows: [Record]) {
    self.query = query
    self.rows = rows
    localIDs = Set(rows.map(\.localID))
  }

  /// Takes in rows that may have changed.
  ///
  /// - Parameters:
  ///   - changed: Their local ids.
  ///   - present: Those of them that the store has, as they are now.
  /// - Returns: What became of the list.
  mutating func take(_ changed: Set<LocalID>, as present: [Record]) -> Outcome {
    let entering = present.filter { row in
      query.condition.map { $0.holds(for: row) == true } ?? true
    }
    let leaving = localIDs.intersection(changed)
    if query.offset > 0, !changed.isEmpty { return .unknown }
    if entering.isEmpty, leaving.isEmpty { return .unchanged }
    if query.limit != nil { return .unknown }
    let before = rows
    rows.removeAll { leaving.contains($0.localID) }
    for row in entering { rows.insert(row, at: place(of: row)) }
    localIDs.subtract(leaving)
    localIDs.formUnion(entering.map(\.localID))
    return rows == before ? .unchanged : .changed
  }

  /// Where a row belongs among the others.
  private func place(of row: Record) -> Int {
    var (low, high) = (0, rows.count)
    while low < high {
      let middle = (low + high) / 2
      if query.order.sorts(rows[middle], before: row) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
