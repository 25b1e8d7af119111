// Ferry: offline-first sync for Parse Server. MIT licence.

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
  case hasWords(WordSearch)
  /// A point, or the middle of a polygon, lies in an area or on its edge.
  case isInside(PlaneArea)
  /// A polygon holds a point, on its edge too.
  case covers(PlanePoint)
  case isSameArea(PlaneArea)
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
    case .hasWords(let search): return value.string.map(search.matches)
    case .isInside(let area):
      let place = PlanePoint(stored) ?? (try? PlaneArea(polygon: stored["coordinates"]))?.middle
      return place.map(area.covers)
    case .covers(let point): return (try? PlaneArea(polygon: stored["coordinates"]))?.covers(point)
    case .isSameArea(let area):
      return (try? PlaneArea(polygon: stored["coordinates"]))?.isSame(as: area)
    case .matches(let pattern): return value.string.map(pattern.matches)
    }
  }
}
