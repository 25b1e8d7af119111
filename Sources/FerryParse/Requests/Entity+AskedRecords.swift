// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel

extension Entity {
  /// Whether the server has the field in a form that only the class's own serializer knows.
  func hasOwnFormat(_ name: String) -> Bool {
    serializer != nil && RecordProperty(rawValue: name) == nil
  }

  /// The records in which the field has no value.
  func askedWithout(_ name: String) -> AskedRecords {
    switch RecordProperty(rawValue: name) {
    case .objectID, .createdAt, .updatedAt, .localID: .nothing
    case nil: isRelation(name) || hasOwnFormat(name) ? .undecided : .exactly(.equal(name, .null))
    }
  }

  /// The records in which the field has a value.
  func askedWithValue(_ name: String, isExact: Bool = false) -> AskedRecords {
    guard RecordProperty(rawValue: name) == nil, !isRelation(name), !hasOwnFormat(name),
      !name.contains(".")
    else { return isExact ? AskedRecords(.everything, isExact: !hasOwnFormat(name)) : .undecided }
    return AskedRecords(.some(.present(name)), isExact: isExact)
  }

  /// The records whose value compares so with a value.
  func asked(_ name: String, _ comparison: Condition.Comparison, _ value: Value) -> AskedRecords {
    if value.isNull { return .nothing }
    guard let type = serverType(name), let value = type.askable(value) else {
      return askedWithValue(name)
    }
    switch (value, comparison) {
    case (.date(let time), _): return .exactly(Self.constraint(name, comparison, time))
    case (.integer, .notEqual), (.number, .notEqual):
      return .exactly(
        .any([.compare(name, .lessThan, value), .compare(name, .greaterThan, value)]))
    case (_, .equal): return .exactly(.equal(name, value))
    case (.boolean(let flag), .notEqual): return .exactly(.equal(name, .boolean(!flag)))
    case (.integer, _), (.number, _):
      return .exactly(.compare(name, ParseConstraint.Comparison(ordering: comparison), value))
    // Each database orders texts differently, and finds a missing value different from each.
    default: return askedWithValue(name)
    }
  }

  /// The records whose value is one of a list.
  func asked(_ name: String, among values: [Value]) -> AskedRecords {
    let values = values.filter { !$0.isNull }
    guard !values.isEmpty else { return .nothing }
    guard let type = serverType(name) else { return askedWithValue(name) }
    let askable = values.compactMap(type.askable)
    guard askable.count == values.count else { return askedWithValue(name) }
    switch type {
    case .text, .integer, .number: return .exactly(.oneOf(name, askable))
    default: return .any(askable.map { asked(name, .equal, $0) })
    }
  }

  /// The records whose value is none of a list.
  func askedOutside(_ name: String, _ values: [Value]) -> AskedRecords {
    // Nobody knows whether a value differs from a missing one.
    if values.contains(where: \.isNull) { return .nothing }
    guard !values.isEmpty else { return AskedRecords(.everything, isExact: true) }
    return .all(values.map { asked(name, .notEqual, $0) })
  }

  /// The type in which a server compares a field as the store does; nil for none.
  private func serverType(_ name: String) -> FieldType? {
    switch RecordProperty(rawValue: name) {
    case .objectID: return .text
    case .createdAt, .updatedAt: return .date
    case .localID: return nil
    case nil: return hasOwnFormat(name) ? nil : field(name)?.type
    }
  }

  private func isRelation(_ name: String) -> Bool { field(name)?.type.isRelation ?? false }

  /// Servers may store finer times than they send, so the constraint is one of whole milliseconds.
  private static func constraint(
    _ name: String, _ comparison: Condition.Comparison, _ time: Timestamp
  ) -> ParseConstraint {
    let (from, next) = (Value.date(time), Value.date(time.adding(milliseconds: 1)))
    return switch comparison {
    case .equal:
      .all([.compare(name, .greaterThanOrEqual, from), .compare(name, .lessThan, next)])
    case .notEqual:
      .any([.compare(name, .lessThan, from), .compare(name, .greaterThanOrEqual, next)])
    case .lessThan: .compare(name, .lessThan, from)
    case .lessThanOrEqual: .compare(name, .lessThan, next)
    case .greaterThan: .compare(name, .greaterThanOrEqual, next)
    case .greaterThanOrEqual: .compare(name, .greaterThanOrEqual, from)
    }
  }
}

extension FieldType {
  /// A value as servers compare it; nil for a value, or a type, that they compare differently.
  fileprivate func askable(_ value: Value) -> Value? {
    let isAskable =
      switch (self, value) {
      case (.text, .string(let text)): text.isSendable
      case (.integer, .integer), (.integer, .number), (.number, .integer), (.number, .number):
        value.reason(againstWritingTo: .number) == nil
      case (.boolean, .boolean): true
      case (.date, .date(let time)): Timestamp.storable.contains(time)
      case (.pointer(let target), .pointer(let pointer)):
        pointer.className == target && pointer.objectID.isSendable
      default: false
      }
    return isAskable ? value : Value?.none
  }
}

extension String {
  /// Whether each database takes the text.
  var isSendable: Bool { !utf8.contains(0) }
}

extension ParseConstraint.Comparison {
  fileprivate init(ordering comparison: Condition.Comparison) {
    switch comparison {
    case .lessThan: self = .lessThan
    case .lessThanOrEqual: self = .lessThanOrEqual
    case .greaterThan, .equal, .notEqual: self = .greaterThan
    case .greaterThanOrEqual: self = .greaterThanOrEqual
    }
  }
}
