// Ferry: offline-first sync for Parse Server. MIT licence.

extension LoopbackBackend {
  func find(_ asked: String, _ call: Call) throws(Refusal) -> Answer {
    let parameters = call.parameters
    let options = try FindOptions(parameters, configuration, isMaster: call.caller.isMaster)
    let condition = try Self.condition(parameters["where"])
    try checkClassMayBeNamed(asked, by: call.caller)
    let redirect = redirection(of: asked, options.redirectKey)
    let className = redirect ?? asked
    try checkMayListSessions(className, call.caller)
    guard let table = tables[className] else {
      return Answer(encoded: Self.answer([], count: options.counts ? 0 : nil))
    }
    let permissions = table.schema.permissions
    let asksForOne = condition.count == 1 && condition["objectId"]?.string != nil
    // Nothing is asked of the database then, not even whether it understands the query.
    if options.limit == 0, !options.counts { return Answer(encoded: Self.answer([], count: nil)) }
    if options.limit > 0 {
      try permissions.check(asksForOne ? .get : .find, for: call.caller)
    }
    if options.counts { try permissions.check(.count, for: call.caller) }
    guard let selection = try selection(of: className, condition, call.caller) else {
      return Answer(encoded: Self.answer([], count: options.counts ? 0 : nil))
    }
    let rows = selection.rows(
      options.order.filter { isKnown($0.name, in: table.schema) }, skip: options.skip,
      limit: options.limit)
    let count = options.counts ? selection.count() : nil
    let page = page(rows, className, options, call.caller)
    return Answer(encoded: Self.answer(page, count: count, namedAs: redirect))
  }

  /// The class that a relation leads to, for a client that knows the relation's name only.
  private func redirection(of className: String, _ key: String?) -> String? {
    guard let key else { return nil }
    let type = tables[className]?.schema.fields[key]?.type
    return type?.name == "Relation" ? type?.targetClass ?? className : className
  }

  /// `where` as an object, or as its text.
  private static func condition(
    _ given: LoopbackValue?
  ) throws(Refusal) -> [String: LoopbackValue] {
    switch given {
    case nil, .array: return [:]
    case .object(let members): return members
    case .string(let text):
      guard let members = (try? JSONReader.value(of: Array(text.utf8)))?.object else {
        throw .parse(107, "where parameter is not valid JSON")
      }
      return members
    case .null, .bool, .number: throw .bare
    }
  }

  private func isKnown(_ name: String, in schema: ClassSchema) -> Bool {
    schema.fields[String(name.prefix { $0 != "." })] != nil
  }

  /// What a condition selects for a caller; nil when it names a field that does not exist.
  private func selection(
    of className: String, _ condition: [String: LoopbackValue], _ caller: Caller
  ) throws(Refusal) -> Selection? {
    guard let table = tables[className] else { return nil }
    var compiler = PredicateCompiler(backend: self, schema: table.schema)
    let predicate = try compiler.compile(condition)
    if compiler.touchesUnknownField { return nil }
    let isOpen = caller.isMaster || (table.guardedRows == 0 && className != "_Session")
    return Selection(
      table: table, predicate: predicate, collation: configuration.collation,
      mayRead: { isOpen || mayRead($0, className, caller) }, readsAll: isOpen)
  }

  /// All rows that satisfy a condition, whoever may read them.
  func rows(
    of className: String, matching condition: [String: LoopbackValue]
  ) throws(Refusal) -> [Row] {
    try selection(of: className, condition, .master)?.rows([], skip: 0, limit: .max) ?? []
  }

  /// The rows of an answer; after a redirection each says of which class it is.
  private static func answer(
    _ rows: [[UInt8]], count: Int?, namedAs className: String? = nil
  ) -> [UInt8] {
    var writer = JSONWriter()
    writer.raw("{\"results\":[")
    for (index, row) in rows.enumerated() {
      if index > 0 { writer.raw(",") }
      if let className {
        writer.raw("{\"className\":\"\(className)\",")
        writer.raw(Array(row.dropFirst()))
      } else {
        writer.raw(row)
      }
    }
    writer.raw(count.map { "],\"count\":\($0)}" } ?? "]}")
    return writer.bytes
  }

  /// `GET /aggregate/…?distinct=field`, the one aggregate a sync can use.
  func distinct(_ className: String, _ call: Call) throws(Refusal) -> Answer {
    guard call.caller.isMaster else { throw .masterOnly }
    guard let name = call.parameters["distinct"]?.string else {
      throw .parse(119, "Only distinct is supported by this server.")
    }
    let condition = try Self.condition(call.parameters["where"])
    let rows = try rows(of: className, matching: condition)
    var values: Set<LoopbackValue> = []
    for row in rows {
      if let value = row.column(name) { values.insert(value) }
    }
    let ordered = values.sorted { first, second in
      (StoredKey.compare(first, second, isNested: true, configuration.collation) ?? 0) < 0
    }
    return Answer(json: ["results": .array(ordered)])
  }
}
