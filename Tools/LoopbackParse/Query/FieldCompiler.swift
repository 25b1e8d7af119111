// Ferry: offline-first sync for Parse Server. MIT licence.

/// Turns the operators on one field into predicates, by the rules of the field's type.
struct FieldCompiler {
  let path: [String]
  let type: FieldType
  let collation: LoopbackCollation

  private static let comparisons: [(String, Comparison)] = [
    ("$lt", .less), ("$lte", .lessOrEqual), ("$gt", .greater), ("$gte", .greaterOrEqual),
  ]

  private var isNested: Bool { path.count > 1 }

  private var name: String { path.joined(separator: ".") }

  /// A value given without an operator.
  func equality(_ value: LoopbackValue) throws(Refusal) -> Predicate {
    if value == .null { return presence(false) }
    if isNested { return .field(path: path, .compares(.equal, value)) }
    if type == .array {
      guard value.typeName == "Pointer" else {
        throw value.array == nil && value.object == nil ? .queryFailed : Self.unsupported(value)
      }
      return .field(path: path, .holdsAny([value], negated: false))
    }
    if value.typeName == "Polygon" {
      guard type.name == "Polygon" else { throw .queryFailed }
      return .field(path: path, .isSameArea(try PlaneArea(polygon: value["coordinates"])))
    }
    if value.object != nil, value.typeName == nil { throw Self.unsupported(value) }
    if value.array != nil { throw Self.unsupported(value) }
    return try compare(.equal, value)
  }

  /// All operators on the field; each must hold.
  func conditions(_ operators: [String: LoopbackValue]) throws(Refusal) -> [Predicate] {
    var parts: [Predicate] = []
    if let value = operators["$eq"] { parts.append(try equal(value)) }
    if let value = operators["$ne"] { parts.append(try differs(value)) }
    if let value = operators["$in"] { parts.append(try among(value, "$in", negated: false)) }
    if let value = operators["$nin"] { parts.append(try among(value, "$nin", negated: true)) }
    if let value = operators["$exists"] { parts.append(exists(value.isTruthy)) }
    if let values = operators["$all"]?.array {
      let test = FieldTest.holdsAll(Set(values))
      parts.append(type == .array ? .field(path: path, test) : .unknown)
    }
    if let value = operators["$containedBy"] {
      guard let values = value.array else {
        throw .parse(107, "bad $containedBy: should be an array")
      }
      parts.append(.field(path: path, .isWithin(Set(values))))
    }
    if let text = operators["$text"] {
      let search = try WordSearch(text)
      guard isNested || type == .string else { throw .queryFailed }
      parts.append(isNested ? .unknown : .field(path: path, .hasWords(search)))
    }
    let places = PlaceCompiler(type: isNested ? nil : type.name)
    for test in try places.conditions(operators) { parts.append(.field(path: path, test)) }
    if let pattern = operators["$regex"]?.string, !pattern.isEmpty {
      parts.append(try matches(pattern, operators["$options"]?.string ?? ""))
    }
    for (key, comparison) in Self.comparisons {
      guard let value = operators[key], value.isTruthy || value == 0 else { continue }
      if type == .array { throw .queryFailed }
      parts.append(try compare(comparison, value))
    }
    guard !parts.isEmpty else { throw Self.unsupported(.object(operators)) }
    if operators.keys.contains(where: { !$0.hasPrefix("$") }) { throw .queryFailed }
    return parts
  }

  private static func unsupported(_ value: LoopbackValue) -> Refusal {
    .parse(119, "Postgres doesn't support this query type yet \(JSONWriter.text(of: value))")
  }

  /// Inside an object the database looks for a column of the whole path, which is never there.
  private func exists(_ isPresent: Bool) -> Predicate {
    guard isNested else { return presence(isPresent) }
    return isPresent ? .unknown : .always
  }

  private func presence(_ isPresent: Bool) -> Predicate {
    if !isNested, ClassSchema.commonFields[name] != nil {
      return isPresent ? .always : .unknown
    }
    return .field(path: path, .isMissing(!isPresent))
  }

  private func equal(_ value: LoopbackValue) throws(Refusal) -> Predicate {
    if value == .null { return presence(false) }
    if isNested { return .field(path: path, .compares(.equal, value)) }
    if type == .array || ["Date", "Polygon"].contains(value.typeName) { throw .queryFailed }
    return try compare(.equal, value)
  }

  private func differs(_ value: LoopbackValue) throws(Refusal) -> Predicate {
    if value == .null { return presence(true) }
    if type == .array { return .field(path: path, .holdsAny([value], negated: true)) }
    if isNested { return .field(path: path, .differs(value)) }
    if ["Date", "Polygon"].contains(value.typeName) { throw .queryFailed }
    let operand = try operand(value)
    guard let operand else { return .unknown }
    switch name {
    case "objectId": return .identityAmong([operand.string ?? ""], negated: true)
    case "createdAt", "updatedAt": return .none([try compare(.equal, value)])
    default: return .field(path: path, .differs(operand))
    }
  }

  private func among(
    _ value: LoopbackValue, _ key: String, negated: Bool
  ) throws(Refusal) -> Predicate {
    guard let given = value.array else { throw .parse(107, "bad \(key) value") }
    let values = given.flatMap { $0.array ?? [$0] }
    if values.isEmpty { return negated ? .always : presence(false) }
    if type == .array { return .field(path: path, .holdsAny(Set(values), negated: negated)) }
    // The database looks for the whole list inside the nested value.
    if isNested { return .field(path: path, .holdsAll(Set(values))) }
    if type == .string, values.contains(where: { $0 != .null && $0.string == nil }) {
      throw .parse(
        102, "\(key) element type mismatch: expected string for field \"\(name)\"")
    }
    var operands: Set<LoopbackValue> = []
    for value in values {
      if ["Date", "Polygon"].contains(value.typeName) { throw .queryFailed }
      if value == .null {
        // In SQL nothing is known to be different from null.
        if negated { return .unknown }
        continue
      }
      if let operand = try operand(value) { operands.insert(operand) }
    }
    switch name {
    case "objectId": return .identityAmong(Set(operands.compactMap(\.string)), negated: negated)
    case "createdAt", "updatedAt":
      var matches: [Predicate] = []
      for value in values { matches.append(try compare(.equal, value)) }
      return negated ? .none(matches) : .any(matches)
    default: return .field(path: path, .among(operands, negated: negated))
    }
  }

  private func matches(_ pattern: String, _ options: String) throws(Refusal) -> Predicate {
    let textual = ["String", "Pointer", "File", "Bytes"]
    guard isNested || textual.contains(type.name) else { throw .queryFailed }
    return .field(path: path, .matches(try TextPattern(pattern, options: options)))
  }

  private func compare(
    _ comparison: Comparison, _ value: LoopbackValue
  ) throws(Refusal) -> Predicate {
    if isNested { return .field(path: path, .compares(comparison, value)) }
    guard let operand = try operand(value) else { return .unknown }
    switch name {
    case "objectId":
      let id = operand.string ?? ""
      if comparison == .equal { return .identityAmong([id], negated: false) }
      return .identity(comparison, sortKey: collation.sortKey(of: id))
    case "createdAt", "updatedAt":
      guard let instant = operand.string.flatMap(Instant.init) else { return .unknown }
      return .instant(name == "createdAt" ? .createdAt : .updatedAt, comparison, instant)
    default: return .field(path: path, .compares(comparison, operand))
    }
  }

  /// The value as the column's type takes it; nil when nothing can equal it, an error of the query
  /// when the database cannot convert it.
  private func operand(_ value: LoopbackValue) throws(Refusal) -> LoopbackValue? {
    switch type.name {
    case "Number":
      if value.bool != nil { return nil }
      guard let number = value.number ?? value.string.flatMap(Double.init) else {
        throw .queryFailed
      }
      return .number(number)
    case "String":
      guard value.string != nil else { throw .queryFailed }
      return value
    case "Boolean":
      guard value.bool != nil else { throw .queryFailed }
      return value
    case "Date":
      if value.typeName == "Date", value["iso"] == nil { return nil }
      let text = value.typeName == "Date" ? value["iso"]?.string : value.string
      guard let instant = text.flatMap(Instant.init) else { throw .queryFailed }
      return .string(instant.text)
    case "Pointer", "File":
      let key = StoredKey.key(of: value)
      guard key.string != nil else { throw .queryFailed }
      return key
    default: return value
    }
  }
}
