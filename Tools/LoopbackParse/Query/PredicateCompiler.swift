// Ferry: offline-first sync for Parse Server. MIT licence.

/// Turns a query's `where` into a predicate, refusing what PostgreSQL would refuse.
struct PredicateCompiler {
  let backend: LoopbackBackend
  let schema: ClassSchema
  /// Who asks: sub-queries find what it may read.
  let caller: Caller
  /// Whether a condition names a field the class does not have.
  ///
  /// The database knows no such column, and the server then answers as if no row matched.
  private(set) var touchesUnknownField = false

  init(backend: LoopbackBackend, schema: ClassSchema, caller: Caller) {
    self.backend = backend
    self.schema = schema
    self.caller = caller
  }

  mutating func compile(_ condition: [String: LoopbackValue]) throws(Refusal) -> Predicate {
    var parts: [Predicate] = []
    for (name, value) in condition.sorted(by: { $0.key < $1.key }) {
      switch name {
      case "$or", "$and", "$nor": parts.append(try combination(name, value))
      case "$relatedTo": parts.append(try relatedTo(value))
      case "ACL": throw .parse(102, "Cannot query on ACL.")
      case "_rperm", "_wperm": continue
      default:
        guard name.split(separator: ".").allSatisfy({ Names.isPlain(String($0)) }) else {
          throw .parse(105, "Invalid key name: \(name)")
        }
        parts.append(contentsOf: try fieldConditions(name, value))
      }
    }
    return parts.count == 1 ? parts[0] : .all(parts)
  }

  private mutating func combination(
    _ name: String, _ value: LoopbackValue
  ) throws(Refusal) -> Predicate {
    guard let branches = value.array else { throw .parse(102, "Permission denied") }
    if branches.isEmpty, name == "$nor" {
      throw .parse(102, "Bad $nor format - use an array of at least 1 value.")
    }
    var parts: [Predicate] = []
    for branch in branches {
      guard let members = branch.object else { throw .queryFailed }
      if !members.isEmpty { parts.append(try compile(members)) }
    }
    guard !parts.isEmpty else { throw .queryFailed }
    return name == "$and" ? .all(parts) : name == "$or" ? .any(parts) : .none(parts)
  }

  /// The members of an owner that the caller may get; a field that is hidden from it cannot be asked about.
  private func relatedTo(_ value: LoopbackValue) throws(Refusal) -> Predicate {
    guard let className = value["object"]?["className"]?.string,
      let owner = value["object"]?["objectId"]?.string, let key = value["key"]?.string,
      let table = backend.tables[className]
    else { return .unknown }
    let permissions = table.schema.permissions
    if permissions.protectedFields(for: caller).contains(key) { throw .notPermitted }
    // Nobody asks whether the master key may get the owner, so it also finds the members of one that is gone.
    guard caller.hasEveryRight || table.rows[owner].map(caller.mayRead) ?? false,
      (try? permissions.check(.get, for: caller)) != nil
    else { return .unknown }
    return .identityAmong(backend.related(className, owner, key), negated: false)
  }

  private mutating func fieldConditions(
    _ name: String, _ value: LoopbackValue
  ) throws(Refusal) -> [Predicate] {
    let path = name.split(separator: ".").map(String.init)
    guard let root = path.first else { return [] }
    try TextPattern.check(value)
    guard let definition = schema.fields[root] else {
      if value["$exists"] == false { return [] }
      touchesUnknownField = true
      return [.unknown]
    }
    let field = FieldCompiler(
      path: path, type: path.count > 1 ? .object : definition.type,
      collation: backend.configuration.collation)
    if definition.type.name == "Relation" { return [try relation(root, value)] }
    if let operators = value.object, operators.keys.contains(where: { $0.hasPrefix("$") }) {
      return try field.conditions(try withoutSubqueries(operators))
    }
    return [try field.equality(value)]
  }

  /// The rows whose relation leads to a row, to one of several, or to none of them.
  private func relation(_ field: String, _ asked: LoopbackValue) throws(Refusal) -> Predicate {
    var value = asked
    if let operators = asked.object, asked.typeName == nil {
      value = .object(try withoutSubqueries(operators))
    }
    func owners(_ targets: [LoopbackValue], negated: Bool) -> Predicate {
      let ids = targets.compactMap { $0["objectId"]?.string }.reduce(into: Set<String>()) {
        $0.formUnion(backend.owners(schema.className, field, of: $1))
      }
      return .identityAmong(ids, negated: negated)
    }
    var parts: [Predicate] = []
    if value.typeName == "Pointer" { parts.append(owners([value], negated: false)) }
    if let targets = value["$in"]?.array { parts.append(owners(targets, negated: false)) }
    if let target = value["$ne"] { parts.append(owners([target], negated: true)) }
    if let targets = value["$nin"]?.array { parts.append(owners(targets, negated: true)) }
    return parts.isEmpty ? .unknown : .all(parts)
  }

  /// Replaces sub-queries by the ids, or the values, that they find.
  private func withoutSubqueries(
    _ operators: [String: LoopbackValue]
  ) throws(Refusal) -> [String: LoopbackValue] {
    var plain = operators
    func replace(_ name: String, by list: String, _ found: [LoopbackValue]) {
      plain[name] = nil
      plain[list] = .array((plain[list]?.array ?? []) + found)
    }
    for (name, list) in [("$inQuery", "$in"), ("$notInQuery", "$nin")] {
      guard let query = operators[name] else { continue }
      guard let className = query["className"]?.string, let condition = query["where"]?.object
      else {
        throw .parse(102, "improper usage of \(name)")
      }
      let rows = try backend.rows(of: className, matching: condition, for: caller)
      replace(name, by: list, rows.map { .pointer(className, $0.objectId) })
    }
    for (name, list) in [("$select", "$in"), ("$dontSelect", "$nin")] {
      guard let selection = operators[name] else { continue }
      guard let query = selection["query"], let key = selection["key"]?.string,
        let className = query["className"]?.string
      else { throw .parse(102, "improper usage of \(name)") }
      let rows = try backend.rows(
        of: className, matching: query["where"]?.object ?? [:], for: caller)
      replace(name, by: list, rows.compactMap { $0.column(key) })
    }
    return plain
  }
}
