// Ferry: offline-first sync for Parse Server. MIT licence.

/// A predicate, an order and a page, carried out on a table by the cheapest of its indexes.
struct Selection {
  let table: ClassTable
  let predicate: Predicate
  let collation: LoopbackCollation
  /// Whether the caller may see a row.
  let mayRead: (Row) -> Bool
  /// Whether `mayRead` holds for all rows, so that none need be looked at to be counted.
  let readsAll: Bool

  private func matches(_ row: Row) -> Bool {
    mayRead(row) && predicate.evaluate(row, collation) == true
  }

  func count() -> Int {
    if let ids = predicate.candidates { return candidateRows(ids).count }
    if readsAll, let axis = IndexAxis.allCases.first(where: predicate.isCovered) {
      return table.count(axis, predicate.range(axis))
    }
    let axis = narrowestAxis(IndexAxis.allCases)
    var count = 0
    table.visit(axis, predicate.range(axis)) { row in
      if matches(row) { count += 1 }
      return true
    }
    return count
  }

  func rows(_ order: [SortTerm], skip: Int, limit: Int) -> [Row] {
    guard limit > 0 else { return [] }
    if let ids = predicate.candidates {
      return Array(sorted(candidateRows(ids), order).dropFirst(skip).prefix(limit))
    }
    let narrowest = narrowestAxis(IndexAxis.allCases)
    if let (axis, descending) = naturalAxis(order), !isMuchNarrower(narrowest, than: axis) {
      return scan(axis, descending: descending, skip: skip, limit: limit)
    }
    if order.isEmpty { return scan(narrowest, descending: false, skip: skip, limit: limit) }
    let found = scan(narrowest, descending: false, skip: 0, limit: .max)
    return Array(sorted(found, order).dropFirst(skip).prefix(limit))
  }

  /// Whether sorting the rows of one index takes less than a scan of the other, as a database would estimate.
  private func isMuchNarrower(_ axis: IndexAxis, than other: IndexAxis) -> Bool {
    axis != other
      && 16 * table.count(axis, predicate.range(axis)) < table.count(other, predicate.range(other))
  }

  /// Rows without an order come in that of their last change, much as they lie in PostgreSQL.
  private func candidateRows(_ ids: Set<String>) -> [Row] {
    ids.compactMap { table.rows[$0] }.filter(matches)
      .sorted { ($0.updatedAt, $0.objectId) < ($1.updatedAt, $1.objectId) }
  }

  private func narrowestAxis(_ axes: [IndexAxis]) -> IndexAxis {
    var best = IndexAxis.updatedAt
    var bestCount = Int.max
    for axis in axes {
      let count = table.count(axis, predicate.range(axis))
      if count < bestCount { (best, bestCount) = (axis, count) }
    }
    return best
  }

  /// The index whose own order is the one asked for, if there is one.
  private func naturalAxis(_ order: [SortTerm]) -> (IndexAxis, descending: Bool)? {
    guard let first = order.first else { return nil }
    let axis: IndexAxis
    switch first.name {
    case "updatedAt": axis = .updatedAt
    case "createdAt": axis = .createdAt
    case "objectId": return (.objectId, first.descending)
    default: return nil
    }
    let rest = order.dropFirst()
    let continues = rest.first == SortTerm(name: "objectId", descending: first.descending)
    return rest.isEmpty || continues ? (axis, first.descending) : nil
  }

  private func scan(
    _ axis: IndexAxis, descending: Bool, skip: Int, limit: Int
  ) -> [Row] {
    var rows: [Row] = []
    var skipped = 0
    table.visit(axis, predicate.range(axis), descending: descending) { row in
      guard matches(row) else { return true }
      if skipped < skip {
        skipped += 1
        return true
      }
      rows.append(row)
      return rows.count < limit
    }
    return rows
  }

  /// Sorts as PostgreSQL does: missing values last, or first when descending.
  private func sorted(_ rows: [Row], _ order: [SortTerm]) -> [Row] {
    guard !order.isEmpty else { return rows }
    let keyed = rows.map { row in (row: row, keys: order.map { key($0.name, row) }) }
    return keyed.sorted { first, second in
      for (index, term) in order.enumerated() {
        let result = compare(first.keys[index], second.keys[index])
        if result != 0 { return term.descending ? result > 0 : result < 0 }
      }
      return false
    }.map(\.row)
  }

  private func key(_ name: String, _ row: Row) -> LoopbackValue? {
    switch name {
    case "createdAt": return .string(row.createdAt.text)
    case "updatedAt": return .string(row.updatedAt.text)
    default:
      let path = name.split(separator: ".").map(String.init)
      let root = path.first.flatMap(row.column)
      return NestedFields.value(path.dropFirst()[...], of: root).map(StoredKey.key)
    }
  }

  private func compare(_ first: LoopbackValue?, _ second: LoopbackValue?) -> Int {
    guard let first else { return second == nil ? 0 : 1 }
    guard let second else { return -1 }
    return StoredKey.compare(first, second, isNested: false, collation) ?? 0
  }
}
