// Ferry: offline-first sync for Parse Server. MIT licence.

/// The range of an index in which a predicate can be true.
extension Predicate {
  /// The narrowest range of an index that holds every row for which the predicate may be true.
  func range(_ axis: IndexAxis) -> KeyRange {
    switch self {
    case .instant(let column, let comparison, let instant):
      guard axis.column == column else { return .everything }
      return Self.range(comparison, instant)
    case .identity, .identityAmong:
      guard axis == .objectId else { return .everything }
      return idRange(at: IndexAxis.noInstant)
    case .all(let parts):
      let whole = parts.reduce(KeyRange.everything) { $0.intersection($1.range(axis)) }
      // With the moment fixed, conditions on the id narrow the range further.
      guard axis != .objectId, whole.lower.instant == whole.upper.instant else { return whole }
      return parts.reduce(whole) { $0.intersection($1.idRange(at: whole.lower.instant)) }
    case .any(let parts):
      return parts.reduce(KeyRange.nothing) { $0.hull($1.range(axis)) }
    case .none, .field: return .everything
    case .unknown: return .nothing
    }
  }

  /// Whether every row in the predicate's range of the index satisfies it.
  func isCovered(by axis: IndexAxis) -> Bool {
    switch self {
    case .all(let parts): parts.allSatisfy { $0.isCovered(by: axis) }
    case .instant(let column, _, _): axis.column == column
    case .identity: axis == .objectId
    default: false
    }
  }

  /// The ids that alone can satisfy the predicate; nil if it does not say.
  var candidates: Set<String>? {
    switch self {
    case .identityAmong(let ids, negated: false): ids
    case .all(let parts):
      parts.compactMap(\.candidates).min { $0.count < $1.count }
    default: nil
    }
  }

  /// The range of ids within one moment of an index.
  private func idRange(at instant: Instant) -> KeyRange {
    guard case .identity(let comparison, let sortKey) = self else { return .everything }
    let before = IndexBound(instant: instant, tail: .before(sortKey))
    let after = IndexBound(instant: instant, tail: .after(sortKey))
    let start = IndexBound(instant: instant, tail: .start)
    let end = IndexBound(instant: instant, tail: .end)
    return switch comparison {
    case .equal: KeyRange(lower: before, upper: after)
    case .less: KeyRange(lower: start, upper: before)
    case .lessOrEqual: KeyRange(lower: start, upper: after)
    case .greater: KeyRange(lower: after, upper: end)
    case .greaterOrEqual: KeyRange(lower: before, upper: end)
    }
  }

  private static func range(_ comparison: Comparison, _ instant: Instant) -> KeyRange {
    let start = IndexBound(instant: instant, tail: .start)
    let end = IndexBound(instant: instant, tail: .end)
    return switch comparison {
    case .equal: KeyRange(lower: start, upper: end)
    case .less: KeyRange(upper: start)
    case .lessOrEqual: KeyRange(upper: end)
    case .greater: KeyRange(lower: end)
    case .greaterOrEqual: KeyRange(lower: start)
    }
  }
}

extension IndexAxis {
  var column: InstantColumn? {
    switch self {
    case .updatedAt: .updatedAt
    case .createdAt: .createdAt
    case .objectId: nil
    }
  }
}
