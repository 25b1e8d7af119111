// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel

/// Takes the rows of a query in one by one, and makes their summaries.
///
/// Both stores use it, so that an aggregate means the same in both.
struct Summarizing {
  /// The rows of one group, as one aggregate has seen them.
  private struct Seen {
    var sum = ExactSum()
    var count = 0
    var value = Value.null

    mutating func take(_ value: Value, for aggregate: Aggregate, isWhole: Bool) {
      if value.isNull { return }
      count += 1
      switch aggregate {
      case .count, .countOf: break
      case .sum, .average: sum.add(value, isWhole: isWhole)
      case .minimum:
        if self.value.isNull || value.sorting(before: self.value) == .before { self.value = value }
      case .maximum:
        if self.value.isNull || value.sorting(before: self.value) == .after { self.value = value }
      }
    }

    func result(of aggregate: Aggregate) -> Value {
      switch aggregate {
      case .count, .countOf: .integer(Int64(count))
      case .sum: sum.sum
      case .average: sum.average
      case .minimum, .maximum: value
      }
    }
  }

  private let aggregates: [(aggregate: Aggregate, place: Int?, isWhole: Bool)]
  private let grouping: [String]
  /// The fields to read of each row: first those of the groups, then those of the aggregates.
  let fields: [String]
  private var groups: [[ValueKey]: (values: [Value], seen: [Seen])] = [:]

  /// - Throws: `StoreError` for fields that cannot be grouped or aggregated.
  init(
    _ aggregates: [Aggregate], of query: Query, groupedBy grouping: [String], in schema: Schema
  ) throws(StoreError) {
    let entity = try schema.registered(query.className)
    for name in grouping { try entity.path(name, in: schema).checkOrdering() }
    var fields = grouping
    var places: [(aggregate: Aggregate, place: Int?, isWhole: Bool)] = []
    for aggregate in aggregates {
      guard let name = aggregate.field else {
        places.append((aggregate, nil, false))
        continue
      }
      let path = try entity.path(name, in: schema)
      try path.check(aggregate)
      if !fields.contains(name) { fields.append(name) }
      places.append((aggregate, fields.firstIndex(of: name), path.type == .integer))
    }
    self.aggregates = places
    self.grouping = grouping
    self.fields = fields
    if grouping.isEmpty { groups[[]] = ([], Array(repeating: Seen(), count: aggregates.count)) }
  }

  mutating func take(_ row: [Value]) {
    let values = row.prefix(grouping.count)
    let key = values.map { ValueKey($0) ?? .none }
    var group =
      groups.removeValue(forKey: key)
      ?? (Array(values), Array(repeating: Seen(), count: aggregates.count))
    for (number, part) in aggregates.enumerated() {
      let value = part.place.map { row[$0] } ?? .boolean(true)
      group.seen[number].take(value, for: part.aggregate, isWhole: part.isWhole)
    }
    groups[key] = group
  }

  /// The summaries, by the values of their groups; a missing value comes first.
  var summaries: [Summary] {
    let sorted = groups.values.sorted { left, right in
      for (left, right) in zip(left.values, right.values) {
        switch left.sorting(before: right) {
        case .same: continue
        case .before: return true
        case .after: return false
        }
      }
      return false
    }
    return sorted.map { values, seen in
      var group = Fields()
      for (name, value) in zip(grouping, values) where !value.isNull { group[name] = value }
      var results: [Aggregate: Value] = [:]
      for (part, seen) in zip(aggregates, seen) {
        results[part.aggregate] = seen.result(of: part.aggregate)
      }
      return Summary(group: group, results: results)
    }
  }
}

extension FieldPath {
  /// Checks that an aggregate can be made of the field.
  fileprivate func check(_ aggregate: Aggregate) throws(StoreError) {
    switch aggregate {
    case .count, .countOf: break
    case .minimum, .maximum: try checkOrdering()
    case .sum, .average:
      guard type == .integer || type == .number else {
        throw StoreError(
          .wrongType,
          "The field \(name) of \(className) is of the type \(type.name), which cannot be added up, so nothing was "
            + "read. Name a field with numbers.")
      }
    }
  }
}
