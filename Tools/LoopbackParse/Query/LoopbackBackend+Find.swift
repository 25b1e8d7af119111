// Ferry: offline-first sync for Parse Server. MIT licence.

extension LoopbackBackend {
  func find(_ asked: String, _ call: Call) throws(Refusal) -> Answer {
    let parameters = call.parameters
    let options = try FindOptions(parameters, configuration, isMaster: call.caller.isMaster)
    // Without rows to find the condition is not looked at.
    let given = options.limit == 0 && parameters["where"] == .null ? nil : parameters["where"]
    let condition = try Self.condition(given)
    try checkClassMayBeNamed(asked, by: call.caller)
    if let pairs = try pairs(of: asked, options, for: call.caller) { return pairs }
    let className = redirected(asked, by: options.redirectKey)
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
    try Self.check(condition, names: permissions.protectedFields(for: call.caller))
    let operation = asksForOne ? ClassPermissions.Operation.get : .find
    guard let selection = try selection(of: className, condition, call.caller, operation) else {
      return Answer(encoded: Self.answer([], count: options.counts ? 0 : nil))
    }
    if options.limit > 0 { try Self.checkOrder(options.order, in: table.schema) }
    let rows = selection.rows(
      options.order.filter { isKnown($0.name, in: table.schema) }, skip: options.skip,
      limit: options.limit)
    let count = options.counts ? selection.count() : nil
    return Answer(encoded: Self.answer(page(rows, className, options, call.caller), count: count))
  }

  /// The class that a relation of the class leads to, where a query asks for that one instead.
  private func redirected(_ className: String, by key: String?) -> String {
    guard let key, let type = tables[className]?.schema.fields[key]?.type, type.name == "Relation"
    else { return className }
    return type.targetClass ?? className
  }

  /// `where` as an object, or as its text.
  private static func condition(
    _ given: LoopbackValue?
  ) throws(Refusal) -> [String: LoopbackValue] {
    switch given {
    case nil: return [:]
    case .object(let members): return members
    case .array(let elements): return indexed(elements).object ?? [:]
    case .string(let text):
      guard let members = (try? JSONReader.value(of: Array(text.utf8)))?.object else {
        throw .parse(107, "where parameter is not valid JSON")
      }
      return members
    case .null, .bool, .number: throw .bare
    }
  }

  /// The database has no order for places and areas.
  private static func checkOrder(
    _ order: [SortTerm], in schema: ClassSchema
  ) throws(Refusal) {
    let types = order.compactMap { schema.fields[$0.name]?.type.name }
    if types.contains(where: { ["GeoPoint", "Polygon"].contains($0) }) { throw .queryFailed }
  }

  private func isKnown(_ name: String, in schema: ClassSchema) -> Bool {
    schema.fields[String(name.prefix { $0 != "." })] != nil
  }

  /// The rows that a condition selects for a caller; nil when it names a field that does not exist.
  private func selection(
    of className: String, _ condition: [String: LoopbackValue], _ caller: Caller,
    _ operation: ClassPermissions.Operation = .find
  ) throws(Refusal) -> Selection? {
    guard let table = tables[className] else { return nil }
    var compiler = PredicateCompiler(backend: self, schema: table.schema, caller: caller)
    let predicate = try compiler.compile(condition)
    if compiler.touchesUnknownField { return nil }
    let isByPointer = table.schema.permissions.pointerFields(operation, for: caller) != nil
    let isOpen =
      caller.hasEveryRight
      || (table.guardedRows == 0 && className != "_Session" && !isByPointer)
    return Selection(
      table: table, predicate: predicate, collation: configuration.collation,
      mayRead: { row in
        isOpen
          || mayRead(row, className, caller)
            && self.isOpen(row, of: className, to: operation, for: caller)
      }, readsAll: isOpen)
  }

  /// All rows of a class that satisfy a condition, as far as a caller may read them.
  func rows(
    of className: String, matching condition: [String: LoopbackValue], for caller: Caller
  ) throws(Refusal) -> [Row] {
    try tables[className]?.schema.permissions.check(.find, for: caller)
    return try selection(of: className, condition, caller)?.rows([], skip: 0, limit: .max) ?? []
  }

  private static func answer(_ rows: [[UInt8]], count: Int?) -> [UInt8] {
    var writer = JSONWriter()
    writer.raw("{\"results\":[")
    for (index, row) in rows.enumerated() {
      if index > 0 { writer.raw(",") }
      writer.raw(row)
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
    let rows = try rows(of: className, matching: condition, for: .master)
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
