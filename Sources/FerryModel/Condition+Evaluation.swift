// Ferry: offline-first sync for Parse Server. MIT licence.

extension Condition {
  /// Whether a row satisfies the condition; nil if a missing value leaves the result unknown, as in
  /// SQL.
  ///
  /// A read returns the rows for which this is true.
  package func holds(for record: Record) -> Bool? {
    switch self {
    case .field(let name, let comparison, let value):
      return record.comparable(name).ordering(to: value).map(comparison.accepts)
    case .oneOf(let name, let values):
      let own = record.comparable(name)
      return Condition.any(values.map { own.ordering(to: $0).map { $0 == .same } })
    case .isNull(let name): return record.comparable(name).isNull
    case .all(let conditions):
      let isOpen = Condition.any(conditions.map { $0.holds(for: record).map { !$0 } })
      return isOpen.map { !$0 }
    case .any(let conditions): return Condition.any(conditions.map { $0.holds(for: record) })
    case .not(let condition): return condition.holds(for: record).map { !$0 }
    }
  }

  /// The OR of three-valued logic.
  private static func any(_ results: [Bool?]) -> Bool? {
    if results.contains(true) { return true }
    return results.contains(nil) ? nil : false
  }
}

extension Condition.Comparison {
  fileprivate func accepts(_ ordering: ValueOrdering) -> Bool {
    switch self {
    case .equal: ordering == .same
    case .notEqual: ordering != .same
    case .lessThan: ordering == .before
    case .lessThanOrEqual: ordering != .after
    case .greaterThan: ordering == .after
    case .greaterThanOrEqual: ordering != .before
    }
  }
}

extension SortOrder {
  /// Sorts rows by fields, and rows with equal fields by age.
  package static func sort(_ records: [Record], by orders: [SortOrder]) -> [Record] {
    records.sorted { orders.sorts($0, before: $1) }
  }
}

extension [SortOrder] {
  /// Whether a row comes before another; of rows with equal fields, the older one does.
  package func sorts(_ left: Record, before right: Record) -> Bool {
    for order in self {
      switch left.comparable(order.field).sorting(before: right.comparable(order.field)) {
      case .same: continue
      case .before: return !order.descending
      case .after: return order.descending
      }
    }
    return left.localID < right.localID
  }
}

/// The order of one value relative to another.
private enum ValueOrdering {
  case before, same, after

  init<Compared: Comparable>(_ left: Compared, _ right: Compared) {
    self = left < right ? .before : left == right ? .same : .after
  }

  init(bytes left: some Sequence<UInt8>, _ right: some Sequence<UInt8>) {
    if left.elementsEqual(right) {
      self = .same
    } else {
      self = left.lexicographicallyPrecedes(right) ? .before : .after
    }
  }
}

extension Value {
  /// The order of values of one type; nil if one of them is missing.
  ///
  /// Fields kept as JSON can only be compared for equality.
  fileprivate func ordering(to other: Value) -> ValueOrdering? {
    if isNull || other.isNull { return nil }
    switch self {
    case .string(let left):
      if case .string(let right) = other { return ValueOrdering(bytes: left.utf8, right.utf8) }
    case .bytes(let left):
      if case .bytes(let right) = other { return ValueOrdering(bytes: left, right) }
    case .integer(let left):
      if case .integer(let right) = other { return ValueOrdering(left, right) }
      if let right = other.double { return ValueOrdering(Double(left), right) }
    case .number(let left):
      if let right = other.double { return ValueOrdering(left, right) }
    case .boolean(let left):
      if case .boolean(let right) = other { return ValueOrdering(left ? 1 : 0, right ? 1 : 0) }
    case .date(let left):
      if case .date(let right) = other { return ValueOrdering(left, right) }
    case .pointer(let left):
      if case .pointer(let right) = other {
        return ValueOrdering(bytes: left.objectID.utf8, right.objectID.utf8)
      }
    case .null, .object, .array, .geoPoint, .polygon, .file, .relation: break
    }
    return self == other ? .same : .after
  }

  /// The order for sorting: a missing value comes before all others.
  fileprivate func sorting(before other: Value) -> ValueOrdering {
    switch (isNull, other.isNull) {
    case (true, true): .same
    case (true, false): .before
    case (false, true): .after
    case (false, false): ordering(to: other) ?? .same
    }
  }
}
