// Ferry: offline-first sync for Parse Server. MIT licence.

/// A condition of one value that SQL has no words for, made ready for many values.
///
/// Both stores ask it, so that it means the same in both.
package enum ValueTest: Sendable {
  case text(TextPattern)
  case contains(Value)
  case within(GeoArea)

  /// The test of a condition; nil for a condition that SQL has words for.
  package init?(_ condition: Condition) {
    switch condition {
    case .text(_, let match, let options): self = .text(TextPattern(match, options))
    case .contains(_, let element): self = .contains(element)
    case .within(_, let area): self = .within(area)
    case .field, .oneOf, .isNull, .among, .unsent, .all, .any, .not: return nil
    }
  }

  /// Whether the value passes; nil for a missing value, and for one of another type.
  package func holds(for value: Value) -> Bool? {
    switch (self, value) {
    case (.text(let pattern), .string(let text)): pattern.matches(text)
    case (.contains(let element), .array(let elements)): elements.contains(element)
    case (.within(let area), .geoPoint(let point)): area.contains(point)
    default: nil
    }
  }
}
