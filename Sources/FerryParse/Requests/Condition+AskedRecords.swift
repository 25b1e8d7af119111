// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel

// A filter is refused where servers disagree, and a query is not: it asks for more, and the store decides. Documentation/
// Decisions/0008 and 0039 say what servers disagree about.
extension Query {
  /// The records to ask a server for, without the query's limit.
  package func askedRecords(in schema: Schema) -> AskedRecords {
    guard let entity = schema.entity(className) else { return .undecided }
    guard let condition else { return AskedRecords(.everything, isExact: true) }
    return condition.askedRecords(of: entity, in: schema, isNegated: false)
  }
}

extension Condition {
  /// The records for which the condition, or else its negation, may hold.
  fileprivate func askedRecords(
    of entity: Entity, in schema: Schema, isNegated: Bool
  ) -> AskedRecords {
    if let (pointer, rest) = hop, let target = entity.target(of: pointer, in: schema) {
      return rest.behind(pointer, to: target, in: schema, isNegated: isNegated)
    }
    switch self {
    case .field(let name, let comparison, let value):
      return entity.asked(name, isNegated ? comparison.opposite : comparison, value)
    case .oneOf(let name, let values):
      return isNegated ? entity.askedOutside(name, values) : entity.asked(name, among: values)
    case .isNull(let name):
      return isNegated ? entity.askedWithValue(name, isExact: true) : entity.askedWithout(name)
    case .text(let name, let match, let options):
      guard !isNegated, options == .exact, !entity.hasOwnFormat(name),
        RecordProperty(rawValue: name) == nil
      else { return entity.askedWithValue(name) }
      return match.askedRecords(of: name)
    case .contains(let name, _): return entity.askedWithValue(name)
    case .within(let name, let area):
      guard !isNegated, !entity.hasOwnFormat(name), let (corner, other) = area.box else {
        return entity.askedWithValue(name)
      }
      return .among(.within(name, southWest: corner, northEast: other))
    case .among(let name, let query, let other):
      // Not even a missing value is among no values.
      if isNegated { return .undecided }
      guard other == RecordProperty.objectID.rawValue, query.limit == nil,
        query.offset <= 0, entity.field(name)?.type == .pointer(to: query.className),
        !entity.hasOwnFormat(name)
      else { return entity.askedWithValue(name) }
      return query.askedRecords(in: schema).behind(name, query.className)
    // The server has none of the changes that are unsent; their rows are in the store.
    case .unsent: return isNegated ? .undecided : AskedRecords(.nothing, isExact: false)
    case .all(let parts), .any(let parts):
      let asked = parts.map { $0.askedRecords(of: entity, in: schema, isNegated: isNegated) }
      var isAll = isNegated
      if case .all = self { isAll = !isNegated }
      return isAll ? .all(asked) : .any(asked)
    case .not(let condition):
      return condition.askedRecords(of: entity, in: schema, isNegated: !isNegated)
    }
  }

  /// The first pointer of the condition's field, and the condition for the row to which it leads.
  private var hop: (pointer: String, rest: Condition)? {
    func split(_ name: String) -> (String, String)? {
      guard let dot = name.firstIndex(of: ".") else { return nil }
      return (String(name[..<dot]), String(name[name.index(after: dot)...]))
    }
    switch self {
    case .field(let name, let comparison, let value):
      return split(name).map { ($0, .field($1, comparison, value)) }
    case .oneOf(let name, let values): return split(name).map { ($0, .oneOf($1, values)) }
    case .isNull(let name): return split(name).map { ($0, .isNull($1)) }
    case .text(let name, let match, let options):
      return split(name).map { ($0, .text($1, match, options)) }
    case .contains(let name, let value): return split(name).map { ($0, .contains($1, value)) }
    case .within(let name, let area): return split(name).map { ($0, .within($1, area)) }
    case .among(let name, let query, let other):
      return split(name).map { ($0, .among($1, query, of: other)) }
    case .unsent, .all, .any, .not: return nil
    }
  }

  /// The records whose pointer leads to a row for which the condition may hold.
  private func behind(
    _ pointer: String, to target: Entity, in schema: Schema, isNegated: Bool
  ) -> AskedRecords {
    // A field has no value either if the pointer has none, or leads nowhere.
    if case .isNull = self, !isNegated { return .undecided }
    if case .among = self, isNegated { return .undecided }
    if case .oneOf(_, []) = self, isNegated { return AskedRecords(.everything, isExact: true) }
    return askedRecords(of: target, in: schema, isNegated: isNegated).behind(pointer, target.name)
  }
}

extension AskedRecords {
  /// The records whose pointer leads to one of these; the store decides it by its own rows of that class.
  fileprivate func behind(_ pointer: String, _ className: String) -> AskedRecords {
    switch selection {
    case .nothing: .nothing
    case .everything: .among(.present(pointer))
    case .some(let constraint): .among(.leads(pointer, className, constraint))
    }
  }
}

extension Condition.Comparison {
  /// The comparison that holds where this one does not, and both values are there.
  fileprivate var opposite: Condition.Comparison {
    switch self {
    case .equal: .notEqual
    case .notEqual: .equal
    case .lessThan: .greaterThanOrEqual
    case .lessThanOrEqual: .greaterThan
    case .greaterThan: .lessThanOrEqual
    case .greaterThanOrEqual: .lessThan
    }
  }
}

extension Entity {
  fileprivate func target(of pointer: String, in schema: Schema) -> Entity? {
    guard case .pointer(let name)? = field(pointer)?.type, !hasOwnFormat(pointer) else {
      return nil
    }
    return schema.entity(name)
  }
}
