// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel

/// The rows of a query in their order, which takes in changed rows one by one.
struct QueriedList: Sendable {
  /// The effect of changed rows on a list.
  enum Outcome {
    case unchanged, changed
    /// Only the store can tell: the query has to be read anew.
    case unknown
  }

  private(set) var rows: [Record]
  private var localIDs: Set<LocalID>
  private let query: Query
  /// The fields of the order, with their types.
  private let order: [(name: String, type: FieldType)]
  /// Whether each row has values that Swift sorts as the store does.
  private var isSortable: Bool

  init(_ query: Query, rows: [Record], schema: Schema) {
    self.query = query
    self.rows = rows
    localIDs = Set(rows.map(\.localID))
    let entity = schema.entity(query.className)
    order = query.order.compactMap { part in
      (try? entity?.askableType(part.field)).map { (part.field, $0) }
    }
    isSortable = order.count == query.order.count
    isSortable = isSortable && rows.allSatisfy(isSortable)
  }

  /// Takes in rows that may have changed.
  ///
  /// - Parameters:
  ///   - changed: Their local ids.
  ///   - entering: Those of them for which the query's condition holds, as they are now.
  /// - Returns: The effect on the list.
  mutating func take(_ changed: Set<LocalID>, entering: [Record]) -> Outcome {
    let leaving = localIDs.intersection(changed)
    if query.offset > 0, !changed.isEmpty { return .unknown }
    if entering.isEmpty, leaving.isEmpty { return .unchanged }
    isSortable = isSortable && entering.allSatisfy(isSortable)
    if query.limit != nil || !isSortable { return .unknown }
    let before = rows
    rows.removeAll { leaving.contains($0.localID) }
    for row in entering { rows.insert(row, at: place(of: row)) }
    localIDs.subtract(leaving)
    localIDs.formUnion(entering.map(\.localID))
    return rows == before ? .unchanged : .changed
  }

  /// Whether Swift sorts a row as the store does.
  ///
  /// The store compares what a column holds, also where another program wrote a date in a form of its own.
  private func isSortable(_ row: Record) -> Bool {
    order.allSatisfy { field in
      switch (field.type, row.comparable(field.name)) {
      case (.text, .string), (.integer, .integer), (.number, .number), (.number, .integer),
        (.pointer, .pointer), (.text, .null), (.integer, .null), (.number, .null),
        (.pointer, .null):
        true
      default: field.name == "createdAt"
      }
    }
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
