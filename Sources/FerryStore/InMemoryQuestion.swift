// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel

/// Queries of a store in memory, made ready once for all rows.
struct InMemoryQuestion {
  let state: InMemoryState

  /// The rows of a query, of which fields are then read.
  ///
  /// - Throws: `StoreError` for a query that cannot be carried out, and for fields that cannot be read.
  func rows(of query: Query, reading fields: [String] = []) throws(StoreError) -> [Record] {
    try query.check(in: state.schema, reading: fields)
    return try checkedRows(of: query)
  }

  private func checkedRows(of query: Query) throws(StoreError) -> [Record] {
    let entity = try state.schema.registered(query.className)
    let found = try sort(
      try rows(of: entity, where: query.condition), of: entity, by: query.order)
    return Array(
      found.dropFirst(max(query.offset, 0)).prefix(query.limit.map { max($0, 0) } ?? .max))
  }

  /// The rows of a class for which a condition holds, in no order.
  private func rows(of entity: Entity, where condition: Condition?) throws(StoreError) -> [Record] {
    let rows = try state.table(entity.name).rows.values
    guard let condition else { return Array(rows) }
    let holds = try test(condition, of: entity)
    return rows.filter { holds($0) == true }
  }

  /// The number of rows of a class for which a condition holds.
  func count(of className: String, where condition: Condition?) throws(StoreError) -> Int {
    let entity = try state.schema.registered(className)
    try condition?.check(for: entity, in: state.schema)
    guard let condition else { return try state.table(className).rows.count }
    let holds = try test(condition, of: entity)
    return try state.table(className).rows.values.reduce(0) { $0 + (holds($1) == true ? 1 : 0) }
  }

  private func sort(
    _ rows: [Record], of entity: Entity, by order: [SortOrder]
  ) throws(StoreError) -> [Record] {
    guard order.contains(where: { $0.field.contains(".") }) else {
      return SortOrder.sort(rows, by: order)
    }
    let reads = try order.map { part throws(StoreError) in try value(part.field, of: entity) }
    let keyed = rows.map { row in (row: row, keys: reads.map { $0(row) }) }
    return keyed.sorted { left, right in
      order.sorts(left.row, before: right.row) { place in (left.keys[place], right.keys[place]) }
    }.map(\.row)
  }

  /// The value of a field, also of one behind pointers, for any row of a class.
  func value(_ name: String, of entity: Entity) throws(StoreError) -> (Record) -> Value {
    let path = try entity.path(name, in: state.schema)
    guard !path.hops.isEmpty else { return { $0.comparable(name) } }
    var hops: [(field: String, table: InMemoryState.Table)] = []
    for hop in path.hops { hops.append((hop.field, try state.table(hop.target))) }
    return { row in
      var row = row
      for hop in hops {
        guard case .pointer(let pointer) = row[hop.field],
          let next = hop.table.localIDs[pointer.objectID].flatMap({ hop.table.rows[$0] })
        else { return .null }
        row = next
      }
      return row.comparable(path.name)
    }
  }

  /// Whether a condition holds, for any row of a class; nil where a missing value leaves it unknown.
  private func test(
    _ condition: Condition, of entity: Entity
  ) throws(StoreError) -> (Record) -> Bool? {
    switch condition {
    case .field(let name, let comparison, let other):
      let value = try value(name, of: entity)
      return { value($0).ordering(to: other).map(comparison.accepts) }
    case .oneOf(let name, let values):
      let value = try value(name, of: entity)
      return { row in
        let own = value(row)
        return Condition.any(values.map { own.ordering(to: $0).map { $0 == .same } })
      }
    case .isNull(let name):
      let value = try value(name, of: entity)
      return { value($0).isNull }
    case .text(let name, _, _), .contains(let name, _), .within(let name, _):
      let value = try value(name, of: entity)
      let test = ValueTest(condition)
      return { test?.holds(for: value($0)) }
    case .among(let name, let query, let other):
      let value = try value(name, of: entity)
      let keys = try keys(of: other, in: query)
      return { row in
        if keys.isEmpty { return false }
        return ValueKey(value(row)).map(keys.contains)
      }
    case .unsent(let wanted):
      let states = try InMemoryReader(state).unsentStates(of: entity.name)
      return { row in states[row.localID].map(wanted.contains) ?? false }
    case .all(let conditions):
      let tests = try tests(conditions, of: entity)
      return { row in Condition.any(tests.map { $0(row).map { !$0 } }).map { !$0 } }
    case .any(let conditions):
      let tests = try tests(conditions, of: entity)
      return { row in Condition.any(tests.map { $0(row) }) }
    case .not(let condition):
      let test = try test(condition, of: entity)
      return { test($0).map { !$0 } }
    }
  }

  private func tests(
    _ conditions: [Condition], of entity: Entity
  ) throws(StoreError) -> [(Record) -> Bool?] {
    try conditions.map { condition throws(StoreError) in try test(condition, of: entity) }
  }

  /// The values of a field of the rows of a query.
  private func keys(of name: String, in query: Query) throws(StoreError) -> Set<ValueKey> {
    let value = try value(name, of: try state.schema.registered(query.className))
    return Set(try checkedRows(of: query).compactMap { ValueKey(value($0)) })
  }
}
