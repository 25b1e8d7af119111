// Ferry: offline-first sync for Parse Server. MIT licence.

/// The order of one value relative to another.
package enum ValueOrdering {
  case before, same, after

  fileprivate init<Compared: Comparable>(_ left: Compared, _ right: Compared) {
    self = left < right ? .before : left == right ? .same : .after
  }

  fileprivate init(bytes left: some Sequence<UInt8>, _ right: some Sequence<UInt8>) {
    if left.elementsEqual(right) {
      self = .same
    } else {
      self = left.lexicographicallyPrecedes(right) ? .before : .after
    }
  }
}

extension Value {
  /// The order of values of one type; nil if one of them is missing, or no number.
  ///
  /// Fields kept as JSON can only be compared for equality.
  package func ordering(to other: Value) -> ValueOrdering? {
    // SQLite binds a NaN as a missing value.
    if isNull || other.isNull || isNotANumber || other.isNotANumber { return nil }
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

  private var isNotANumber: Bool {
    if case .number(let number) = self { number.isNaN } else { false }
  }

  /// The order for sorting: a missing value comes before all others.
  package func sorting(before other: Value) -> ValueOrdering {
    switch (isNull, other.isNull) {
    case (true, true): .same
    case (true, false): .before
    case (false, true): .after
    case (false, false): ordering(to: other) ?? .same
    }
  }
}
