// Ferry: offline-first sync for Parse Server. MIT licence.

/// How two values are compared.
enum Comparison {
  case equal, less, lessOrEqual, greater, greaterOrEqual

  func holds<Value: Comparable>(_ first: Value, _ second: Value) -> Bool {
    switch self {
    case .equal: first == second
    case .less: first < second
    case .lessOrEqual: first <= second
    case .greater: first > second
    case .greaterOrEqual: first >= second
    }
  }
}

/// The two moments that every row has.
enum InstantColumn {
  case createdAt, updatedAt

  func instant(of row: Row) -> Instant {
    switch self {
    case .createdAt: row.createdAt
    case .updatedAt: row.updatedAt
    }
  }
}

/// A query's condition, checked against the schema and ready to be tried on rows.
///
/// It is true, false or unknown, as conditions in SQL are: `$nor` over a missing field is not true.
indirect enum Predicate {
  case all([Predicate])
  case any([Predicate])
  case none([Predicate])
  case unknown
  case instant(InstantColumn, Comparison, Instant)
  case identity(Comparison, sortKey: String)
  case identityAmong(Set<String>, negated: Bool)
  case field(path: [String], FieldTest)

  static let always = Predicate.all([])
}

/// A condition on one field.
enum FieldTest {
  case isMissing(Bool)
  case compares(Comparison, LoopbackValue)
  /// True for a missing field too.
  case differs(LoopbackValue)
  case among(Set<LoopbackValue>, negated: Bool)
  case holdsAny(Set<LoopbackValue>, negated: Bool)
  case holdsAll(Set<LoopbackValue>)
  case isWithin(Set<LoopbackValue>)
  case matches(TextPattern)
  case isInside([PlanePoint])
}

extension Predicate {
  /// Tries the condition on a row; nil is SQL's unknown.
  func evaluate(_ row: Row, _ collation: LoopbackCollation) -> Bool? {
    switch self {
    case .all(let parts):
      var result: Bool? = true
      for part in parts {
        switch part.evaluate(row, collation) {
        case false: return false
        case nil: result = nil
        default: break
        }
      }
      return result
    case .any(let parts): return Self.anyHolds(parts, row, collation)
    case .none(let parts): return Self.anyHolds(parts, row, collation).map { !$0 }
    case .unknown: return nil
    case .instant(let column, let comparison, let instant):
      return comparison.holds(column.instant(of: row), instant)
    case .identity(let comparison, let sortKey):
      return comparison.holds(collation.sortKey(of: row.objectId), sortKey)
    case .identityAmong(let ids, let negated): return ids.contains(row.objectId) != negated
    case .field(let path, let test):
      let root = path.first.flatMap(row.column)
      let value = path.count == 1 ? root : NestedFields.value(path.dropFirst(), of: root)
      return test.evaluate(value, isNested: path.count > 1, collation)
    }
  }

  private static func anyHolds(
    _ parts: [Predicate], _ row: Row, _ collation: LoopbackCollation
  ) -> Bool? {
    var result: Bool? = false
    for part in parts {
      switch part.evaluate(row, collation) {
      case true: return true
      case nil: result = nil
      default: break
      }
    }
    return result
  }
}

extension FieldTest {
  func evaluate(
    _ stored: LoopbackValue?, isNested: Bool, _ collation: LoopbackCollation
  ) -> Bool? {
    if case .isMissing(let expected) = self {
      return (stored == nil || stored == .null) == expected
    }
    guard let stored, stored != .null else {
      if case .differs = self { return true }
      return nil
    }
    let value = isNested ? stored : StoredKey.key(of: stored)
    switch self {
    case .isMissing: return nil
    case .compares(let comparison, let other):
      return StoredKey.compare(value, other, isNested: isNested, collation)
        .map { comparison.holds($0, 0) }
    case .differs(let other): return value != other
    case .among(let values, let negated): return values.contains(value) != negated
    case .holdsAny(let values, let negated):
      return (stored.array ?? []).contains(where: values.contains) != negated
    case .holdsAll(let values):
      let elements = Set(stored.array ?? [])
      return !values.isEmpty && values.isSubset(of: elements)
    case .isWithin(let values): return stored.array?.allSatisfy(values.contains) ?? false
    case .isInside(let corners): return PlanePoint(stored)?.isInside(corners)
    case .matches(let pattern): return value.string.map(pattern.matches)
    }
  }
}

/// The part of a stored value that a database compares.
enum StoredKey {
  /// A pointer counts as its id, a date as its text, a file as its name.
  static func key(of value: LoopbackValue) -> LoopbackValue {
    switch value.typeName {
    case "Pointer": value["objectId"] ?? .null
    case "Date": value["iso"] ?? .null
    case "File": value["name"] ?? .null
    default: value
    }
  }

  /// Negative, zero or positive, as the first comes before, with or after the second; nil where they
  /// cannot be compared.
  static func compare(
    _ first: LoopbackValue, _ second: LoopbackValue, isNested: Bool,
    _ collation: LoopbackCollation
  ) -> Int? {
    switch (first, second) {
    case (.number(let first), .number(let second)): order(first, second)
    case (.bool(let first), .bool(let second)): order(first ? 1 : 0, second ? 1 : 0)
    case (.string(let first), .string(let second)):
      first == second ? 0 : order(collation.sortKey(of: first), collation.sortKey(of: second))
    case (.object, .object), (.array, .array): first == second ? 0 : nil
    default:
      // Inside an object the database compares the texts of values of different types.
      isNested ? order(text(first), text(second)) : nil
    }
  }

  private static func text(_ value: LoopbackValue) -> String {
    value.string ?? JSONWriter.text(of: value)
  }

  private static func order<Value: Comparable>(_ first: Value, _ second: Value) -> Int {
    first == second ? 0 : first < second ? -1 : 1
  }
}
