// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryStore

/// Conditions and orders as SQL, with the values to bind.
struct QuestionText {
  let table: TableLayout
  private(set) var values: [(any SQLiteBindable)?] = []

  init(table: TableLayout) { self.table = table }

  mutating func filter(_ condition: Condition?) throws -> String {
    guard let condition else { return "" }
    return " WHERE " + (try text(condition))
  }

  /// Rows that are equal in all fields come by age.
  func sorting(_ order: [SortOrder]) throws -> String {
    let parts = try order.map { part in
      try column(part.field).sql + (part.descending ? " DESC" : "")
    }
    return " ORDER BY " + SQLText.list(parts + ["localId"])
  }

  private mutating func text(_ condition: Condition) throws -> String {
    switch condition {
    case .field(let name, let comparison, let value): try text(name, comparison, value)
    case .oneOf(let name, let values):
      try joined(values.map { .field(name, .equal, $0) }, by: " OR ", empty: "0")
    case .isNull(let name): "\(try column(name).sql) IS NULL"
    case .all(let conditions): try joined(conditions, by: " AND ", empty: "1")
    case .any(let conditions): try joined(conditions, by: " OR ", empty: "0")
    // Not "NOT": what is unknown in SQL does not hold either.
    case .not(let condition): "(\(try text(condition))) IS NOT TRUE"
    }
  }

  private mutating func joined(
    _ conditions: [Condition], by word: String, empty: String
  ) throws -> String {
    guard !conditions.isEmpty else { return empty }
    return "(" + (try conditions.map { try text($0) }).joined(separator: word) + ")"
  }

  private mutating func text(
    _ name: String, _ comparison: Condition.Comparison, _ value: Value
  ) throws -> String {
    let (column, type) = try column(name)
    guard !value.isNull else { return "0" }
    guard type.accepts(value) || type.isNumber && value.double != nil else {
      // A value of another type differs from every value that the field can have.
      return comparison == .notEqual ? "\(column) IS NOT NULL" : "0"
    }
    values.append(value)
    switch (comparison, type.isText) {
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

  private func column(_ name: String) throws -> (sql: String, type: FieldType) {
    guard let column = table.column(name) else {
      throw StoreError(
        .unknownField,
        "The class \(table.entity.name) has no field \(name). Nothing was read. Add it to the "
          + "schema, or check the spelling.")
    }
    if let field = table.entity.field(name) { return (column, field.type) }
    return (column, TableLayout.ownType(name))
  }
}

extension FieldType {
  fileprivate var isNumber: Bool {
    switch self {
    case .integer, .number: true
    default: false
    }
  }

  /// Whether equal values have equal columns; JSON has several texts for one value.
  fileprivate var isText: Bool {
    switch self {
    case .text, .integer, .number, .boolean, .date, .pointer, .bytes: true
    case .object, .array, .geoPoint, .polygon, .file, .relation: false
    }
  }
}
