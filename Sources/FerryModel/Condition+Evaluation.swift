// Ferry: offline-first sync for Parse Server. MIT licence.

extension Condition {
  /// Whether a row satisfies the condition; nil if a missing value leaves the result unknown, as in
  /// SQL.
  ///
  /// A read returns the rows for which this is true. A condition that asks for other rows, or for unsent changes, is unknown
  /// here: only a store has them.
  package func holds(for record: Record) -> Bool? {
    switch self {
    case .field(let name, let comparison, let value):
      return record.comparable(name).ordering(to: value).map(comparison.accepts)
    case .oneOf(let name, let values):
      let own = record.comparable(name)
      return Condition.any(values.map { own.ordering(to: $0).map { $0 == .same } })
    case .isNull(let name): return record.comparable(name).isNull
    case .text(let name, _, _), .contains(let name, _), .within(let name, _):
      return ValueTest(self)?.holds(for: record.comparable(name))
    case .among, .unsent: return nil
    case .all(let conditions):
      let isOpen = Condition.any(conditions.map { $0.holds(for: record).map { !$0 } })
      return isOpen.map { !$0 }
    case .any(let conditions): return Condition.any(conditions.map { $0.holds(for: record) })
    case .not(let condition): return condition.holds(for: record).map { !$0 }
    }
  }

  /// The OR of three-valued logic.
  package static func any(_ results: [Bool?]) -> Bool? {
    if results.contains(true) { return true }
    return results.contains(nil) ? nil : false
  }
}

extension Condition.Comparison {
  package func accepts(_ ordering: ValueOrdering) -> Bool {
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
    sorts(left, before: right) { place in
      (left.comparable(self[place].field), right.comparable(self[place].field))
    }
  }

  /// The same, with the values of both rows for each place in the order.
  package func sorts(
    _ left: Record, before right: Record, by values: (Int) -> (Value, Value)
  ) -> Bool {
    for (place, order) in enumerated() {
      let (own, other) = values(place)
      switch own.sorting(before: other) {
      case .same: continue
      case .before: return !order.descending
      case .after: return order.descending
      }
    }
    return left.localID < right.localID
  }
}
