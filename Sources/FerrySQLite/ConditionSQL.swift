// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryStore

/// Conditions and orders as SQL, with the values to bind.
struct ConditionSQL {
  let table: TableLayout
  private(set) var values: [(any SQLiteBindable)?] = []

  init(table: TableLayout) { self.table = table }

  mutating func filter(_ condition: Condition?) throws(StoreError) -> String {
    guard let condition else { return "" }
    try condition.check(for: table.entity)
    return " WHERE " + (try text(condition))
  }

  /// Rows that are equal in all fields are sorted by age.
  func sorting(_ order: [SortOrder]) throws(StoreError) -> String {
    let parts = try order.map { part throws(StoreError) in
      try part.check(for: table.entity)
      return try column(part.field).sql + (part.descending ? " DESC" : "")
    }
    return " ORDER BY " + SQLText.list(parts + ["localId"])
  }

  private mutating func text(_ condition: Condition) throws(StoreError) -> String {
    switch condition {
    case .field(let name, let comparison, let value): try text(name, comparison, value)
    case .oneOf(let name, let values): try text(name, oneOf: values)
    case .isNull(let name): "\(try column(name).sql) IS NULL"
    case .all(let conditions): try joined(conditions, by: " AND ", empty: "1")
    case .any(let conditions): try joined(conditions, by: " OR ", empty: "0")
    case .not(let condition): "NOT (\(try text(condition)))"
    }
  }

  private mutating func text(_ name: String, oneOf values: [Value]) throws(StoreError) -> String {
    let (column, type) = try column(name)
    guard type.isOrdered else {
      return try joined(values.map { .field(name, .equal, $0) }, by: " OR ", empty: "0")
    }
    self.values += values
    return "\(column) IN (\(SQLText.parameters(values.count)))"
  }

  private mutating func joined(
    _ conditions: [Condition], by word: String, empty: String
  ) throws(StoreError) -> String {
    guard !conditions.isEmpty else { return empty }
    var texts: [String] = []
    for condition in conditions { texts.append(try text(condition)) }
    return "(" + texts.joined(separator: word) + ")"
  }

  private mutating func text(
    _ name: String, _ comparison: Condition.Comparison, _ value: Value
  ) throws(StoreError) -> String {
    let (column, type) = try column(name)
    guard !value.isNull else { return "NULL" }
    values.append(value)
    switch (comparison, type.isOrdered) {
    case (.equal, false): return "\(meaningfulEquality)(\(column), ?)"
    case (.notEqual, false): return "NOT \(meaningfulEquality)(\(column), ?)"
    case (.equal, true): return "\(column) = ?"
    case (.notEqual, true): return "\(column) <> ?"
    case (.lessThan, _): return "\(column) < ?"
    case (.lessThanOrEqual, _): return "\(column) <= ?"
    case (.greaterThan, _): return "\(column) > ?"
    case (.greaterThanOrEqual, _): return "\(column) >= ?"
    }
  }

  private func column(_ name: String) throws(StoreError) -> (sql: String, type: FieldType) {
    let type = try table.entity.askableType(name)
    return (table.column(name), type)
  }
}
