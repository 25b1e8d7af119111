// Ferry: offline-first sync for Parse Server. MIT licence.

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
