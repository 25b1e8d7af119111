// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryStore

/// Queries as SQL, with the values to bind.
struct QuerySQL {
  /// A class whose rows a statement reads, and the table's name in it.
  struct Source {
    let table: TableLayout
    /// The name of the table within a sub-query; nil for the table of the whole query.
    let alias: String?

    init(_ table: TableLayout, as alias: String? = nil) {
      self.table = table
      self.alias = alias
    }

    /// The column of one of the class's own fields.
    func column(_ field: String) -> String {
      (alias.map { $0 + "." } ?? "") + table.column(field)
    }

    /// The column, also within the sub-query of another table.
    func columnFromWithin(_ field: String) -> String {
      (alias ?? table.table) + "." + table.column(field)
    }
  }

  private let reader: SQLiteReader
  private var layout: SchemaLayout { reader.layout }
  /// Whether all rows of the query are wanted, so that it cannot stop early in a scan.
  private var wantsAllRows = false
  private(set) var values: [(any SQLiteBindable)?] = []
  /// The classes beside the query's own, by the names that their tables have in the statement.
  private(set) var classNames: [String: String] = [:]

  /// - Parameter reader: The view in which the queries are asked.
  init(_ reader: SQLiteReader) { self.reader = reader }

  /// The rows of a query, with what to select of each.
  ///
  /// - Throws: `StoreError` for a query that cannot be carried out, and for fields that cannot be read.
  mutating func selection(
    of query: Query, reading fields: [String] = [],
    _ columns: (inout QuerySQL, Source) throws(StoreError) -> String
  ) throws(StoreError) -> String {
    let source = Source(try layout.table(query.className))
    try query.check(for: source.table.entity, in: layout.schema, reading: fields)
    let selected = try columns(&self, source)
    wantsAllRows = query.limit == nil
    return "SELECT \(selected) FROM \(source.table.table)" + (try rest(of: query, in: source))
  }

  /// The condition of the rows to count.
  mutating func filter(_ condition: Condition?, of table: TableLayout) throws(StoreError) -> String
  {
    guard let condition else { return "" }
    try condition.check(for: table.entity, in: layout.schema)
    return " WHERE " + (try text(condition, in: Source(table)))
  }

  /// Rows that are equal in all fields are sorted by age.
  private mutating func rest(of query: Query, in source: Source) throws(StoreError) -> String {
    var text = ""
    if let condition = query.condition { text = " WHERE " + (try self.text(condition, in: source)) }
    var order: [String] = []
    for part in query.order {
      order.append(try column(part.field, in: source).sql + (part.descending ? " DESC" : ""))
    }
    order.append(source.alias.map { $0 + ".localId" } ?? "localId")
    values += [Int64(query.limit.map { max($0, 0) } ?? -1), Int64(max(query.offset, 0))]
    return text + " ORDER BY " + SQLText.list(order) + " LIMIT ? OFFSET ?"
  }

  /// A field's column, or what a field behind pointers is in SQL.
  ///
  /// It takes the value of one row by the index of object ids.
  mutating func column(
    _ name: String, in source: Source
  ) throws(StoreError) -> (sql: String, type: FieldType) {
    let path = try source.table.entity.path(name, in: layout.schema)
    guard let first = path.hops.first else { return (source.column(name), path.type) }
    var (tables, filter) = ("", "")
    var pointer = source.columnFromWithin(first.field)
    var last = source
    for (place, hop) in path.hops.enumerated() {
      last = try another(hop.target)
      let isTarget = "\(last.column(RecordProperty.objectID.rawValue)) = \(pointer)"
      let table = "\(last.table.table) AS \(last.alias ?? "")"
      // SQLite keeps the order of a CROSS JOIN: along the pointers, by the index of each class.
      if place == 0 {
        (tables, filter) = (table, isTarget)
      } else {
        tables += " CROSS JOIN \(table) ON \(isTarget)"
      }
      if place + 1 < path.hops.count { pointer = last.column(path.hops[place + 1].field) }
    }
    return ("(SELECT \(last.column(path.name)) FROM \(tables) WHERE \(filter))", path.type)
  }

  /// Another table of the statement, under a name that no class can have.
  private mutating func another(_ className: String) throws(StoreError) -> Source {
    let alias = "ferry_other\(classNames.count)"
    classNames[alias] = className
    return Source(try layout.table(className), as: alias)
  }
}

extension QuerySQL {
  // MARK: Conditions

  private mutating func text(
    _ condition: Condition, in source: Source
  ) throws(StoreError) -> String {
    switch condition {
    case .field(let name, let comparison, let value):
      return try text(name, comparison, value, in: source)
    case .oneOf(let name, let values): return try text(name, oneOf: values, in: source)
    case .isNull(let name): return "\(try column(name, in: source).sql) IS NULL"
    case .text(let name, _, _), .contains(let name, _), .within(let name, _):
      let column = try column(name, in: source).sql
      values.append(ValueTest(condition).map(TestOfValues.init))
      return "\(testFunction)(\(column), ?)"
    case .among(let name, let query, let other):
      return try text(name, among: query, of: other, in: source)
    case .unsent(let states): return try text(unsent: states, in: source)
    case .all(let conditions):
      return try joined(conditions, of: condition, " AND ", "1", in: source)
    case .any(let conditions): return try joined(conditions, of: condition, " OR ", "0", in: source)
    case .not(let condition): return "NOT (\(try text(condition, in: source)))"
    }
  }

  private mutating func text(
    _ name: String, oneOf values: [Value], in source: Source
  ) throws(StoreError) -> String {
    let (column, type) = try column(name, in: source)
    guard type.isOrdered else {
      let equal = Condition.any(values.map { .field(name, .equal, $0) })
      return try text(equal, in: source)
    }
    self.values += values
    return "\(column) IN (\(SQLText.parameters(values.count)))"
  }

  /// A missing value of the other rows would make the result of `IN` unknown for all that are not found.
  private mutating func text(
    _ name: String, among query: Query, of other: String, in source: Source
  ) throws(StoreError) -> String {
    let column = try column(name, in: source).sql
    let inner = try another(query.className)
    let value = try self.column(other, in: inner).sql
    let table = "\(inner.table.table) AS \(inner.alias ?? "")"
    guard query.limit != nil || query.offset > 0 else {
      var filter = "\(value) IS NOT NULL"
      if let condition = query.condition { filter += " AND " + (try text(condition, in: inner)) }
      return "\(column) IN (SELECT \(value) FROM \(table) WHERE \(filter))"
    }
    let rows = "SELECT \(value) AS value FROM \(table)" + (try rest(of: query, in: inner))
    return "\(column) IN (SELECT value FROM (\(rows)) WHERE value IS NOT NULL)"
  }

  /// The rows that folding has noted come from the outbox, and those with edits since from the log.
  private mutating func text(
    unsent states: Set<UnsentState>, in source: Source
  ) throws(StoreError) -> String {
    let unfolded = try reader.unfoldedStates(of: source.table.entity.name)
    let edited = unfolded.states.filter { states.contains($0.value) }.keys
    values += [source.table.entity.name]
    values += [UnsentSQL.list(unfolded.replaced), UnsentSQL.list(edited)]
    let column = source.column(RecordProperty.localID.rawValue)
    return "\(column) IN (\(UnsentSQL.localIDs(in: states)))"
  }

  /// An AND within an AND becomes one list, since SQLite's parser goes only so deep.
  private mutating func joined(
    _ conditions: [Condition], of list: Condition, _ word: String, _ empty: String,
    in source: Source
  ) throws(StoreError) -> String {
    guard !conditions.isEmpty else { return empty }
    var texts: [String] = []
    for condition in conditions { try add(condition, of: list, to: &texts, in: source) }
    guard !texts.isEmpty else { return empty }
    return "(" + texts.joined(separator: word) + ")"
  }

  private mutating func add(
    _ condition: Condition, of list: Condition, to texts: inout [String], in source: Source
  ) throws(StoreError) {
    switch condition {
    case .all(let inner), .any(let inner):
      guard condition.isSameList(as: list) else { fallthrough }
      for condition in inner { try add(condition, of: list, to: &texts, in: source) }
    default: texts.append(try text(condition, in: source))
    }
  }

  private mutating func text(
    _ name: String, _ comparison: Condition.Comparison, _ value: Value, in source: Source
  ) throws(StoreError) -> String {
    let (column, type) = try column(name, in: source)
    guard !value.isNull else { return "NULL" }
    values.append(value)
    switch (comparison, type.isOrdered) {
    case (.equal, false): return "\(meaningfulEquality)(\(column), ?)"
    case (.notEqual, false): return "NOT \(meaningfulEquality)(\(column), ?)"
    case (.equal, true): return "\(column) = ?"
    case (.notEqual, true): return "\(column) <> ?"
    case (.lessThan, _): return range("\(column) < ?", of: name, in: source)
    case (.lessThanOrEqual, _): return range("\(column) <= ?", of: name, in: source)
    case (.greaterThan, _): return range("\(column) > ?", of: name, in: source)
    case (.greaterThanOrEqual, _): return range("\(column) >= ?", of: name, in: source)
    }
  }

  /// A comparison by order; SQLite takes it for one that finds few rows if an index has the field.
  ///
  /// By itself, SQLite guesses that it finds a quarter of the rows. Then it scans, to spare itself the sort by age.
  private func range(_ comparison: String, of name: String, in source: Source) -> String {
    let indexes = source.table.entity.indexes ?? []
    guard wantsAllRows, indexes.contains(where: { $0.fields.contains(name) }) else {
      return comparison
    }
    return "likelihood(\(comparison), 0.03)"
  }
}
