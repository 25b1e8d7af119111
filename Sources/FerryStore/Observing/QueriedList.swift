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
    let present = localIDs.intersection(changed)
    if query.offset > 0, !changed.isEmpty { return .unknown }
    if entering.isEmpty, present.isEmpty { return .unchanged }
    isSortable = isSortable && entering.allSatisfy(isSortable)
    if query.limit != nil || !isSortable { return .unknown }
    return exchange(present, for: entering) ? .changed : .unchanged
  }

  /// Takes rows out and puts rows in; a row that stays where it is costs no move of the others.
  ///
  /// - Returns: Whether the list is another one.
  private mutating func exchange(_ present: Set<LocalID>, for entering: [Record]) -> Bool {
    var incoming = Dictionary(entering.map { ($0.localID, $0) }, uniquingKeysWith: { $1 })
    var leaving: Set<LocalID> = []
    var isChanged = false
    for index in rows.indices where present.contains(rows[index].localID) {
      let localID = rows[index].localID
      guard let row = incoming[localID], keepsPlace(rows[index], as: row) else {
        leaving.insert(localID)
        continue
      }
      incoming[localID] = nil
      guard rows[index] != row else { continue }
      rows[index] = row
      isChanged = true
    }
    guard !leaving.isEmpty || !incoming.isEmpty else { return isChanged }
    if !leaving.isEmpty { rows.removeAll { leaving.contains($0.localID) } }
    for row in incoming.values { rows.insert(row, at: place(of: row)) }
    localIDs.subtract(leaving)
    localIDs.formUnion(incoming.keys)
    return true
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

  /// Whether a row sorts as it did before a change.
  private func keepsPlace(_ earlier: Record, as later: Record) -> Bool {
    !query.order.sorts(earlier, before: later) && !query.order.sorts(later, before: earlier)
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
