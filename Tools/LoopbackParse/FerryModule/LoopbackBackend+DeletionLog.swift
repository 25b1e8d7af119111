// Ferry: offline-first sync for Parse Server. MIT licence.

/// The log of deleted records, in the classes in which the module keeps it.
extension LoopbackBackend {
  static let logClass = "FerryDeletion"
  private static let startClass = "FerryLogStart"
  /// How far each answer reaches back behind the moment at which it ends.
  private static let overlap: Int64 = 60_000
  private static let day: Int64 = 86_400_000

  /// Begins the log, as each start of a server with the module does.
  mutating func beginDeletionLog() {
    guard let module = ferryModule, !module.logged.isEmpty else { return }
    close(Self.logClass, ["of": .string, "record": .string, "at": .number, "readers": .array])
    close(Self.startClass, ["at": .number])
    tables[Self.startClass]?.removeAll()
    addRow(to: Self.startClass, ["at": .number(Double(now.milliseconds))])
  }

  /// Creates a class, or closes one that exists, to all but the master key.
  private mutating func close(_ className: String, _ fields: [String: FieldType]) {
    var schema = tables[className]?.schema ?? ClassSchema(className: className)
    for (name, type) in fields { schema.fields[name] = FieldDefinition(type: type) }
    schema.permissions = .closed
    if className == Self.logClass {
      schema.indexes = ["_id_": ["_id": 1], "ferry": ["at": 1, "of": 1]]
    }
    tables[className, default: ClassTable(schema: schema, collation: configuration.collation)]
      .schema = schema
  }

  private mutating func addRow(to className: String, _ fields: [String: LoopbackValue]) {
    let stamp = now
    var row = Row(
      objectId: freshId(in: className), createdAt: stamp, updatedAt: stamp, fields: fields,
      access: AccessList([:]))
    row.encode(fileAddress: fileAddress)
    commit(row, to: className)
  }

  /// Writes an entry for a row that was just deleted by a request.
  mutating func logDeletion(of row: Row, from className: String) {
    guard ferryModule?.logged.contains(className) == true else { return }
    let readers = row.access.map { $0.readers.sorted() } ?? ["*"]
    addRow(
      to: Self.logClass,
      [
        "of": .string(className), "record": .string(row.objectId),
        "at": .number(Double(now.milliseconds)),
        "readers": .array(readers.map(LoopbackValue.string)),
      ])
  }

  /// The ids of records that were deleted since a moment, and the moment for the next request.
  mutating func deletions(
    of className: String, _ parameters: [String: LoopbackValue], _ module: LoopbackFerryModule,
    for caller: Caller
  ) throws(Refusal) -> [String: LoopbackValue] {
    try checkMayReadLog(of: className, caller)
    let limit = min(try Self.limit(parameters["limit"]), configuration.maxLimit ?? .max)
    let since = try LogPosition(parameters["since"])
    let now = now.milliseconds
    let completeSince = completeSince(now, module)
    let next = max(now - Self.overlap, completeSince)
    let end = since?.end ?? next
    let head = LoopbackValue.string(Instant(milliseconds: completeSince).text)
    guard let since, since.at >= completeSince, since.at <= now + Self.overlap else {
      return [
        "completeSince": head, "isComplete": false, "ids": [],
        "until": .string(LogPosition(at: next).text), "hasMore": false,
      ]
    }
    let entries = entries(of: className, since, for: caller).prefix(limit)
    let hasMore = entries.count >= limit
    var until = LogPosition(at: end)
    if hasMore, let last = entries.last {
      until = LogPosition(at: last.moment, id: last.objectId, end: end)
    }
    var told: Set<LoopbackValue> = []
    return [
      "completeSince": head, "isComplete": true,
      "ids": .array(entries.compactMap { $0.fields["record"] }.filter { told.insert($0).inserted }),
      "until": .string(until.text), "hasMore": .bool(hasMore),
    ]
  }

  private func checkMayReadLog(of className: String, _ caller: Caller) throws(Refusal) {
    guard !caller.isMaster else { return }
    try checkClassMayBeNamed(className, by: caller)
    guard let permissions = tables[className]?.schema.permissions else { return }
    try permissions.check(.find, for: caller)
    guard permissions.readerFields.isEmpty else {
      throw .parse(119, "The log has no class in which a field names the readers.")
    }
  }

  private static func limit(_ given: LoopbackValue?) throws(Refusal) -> Int {
    guard let given else { return modulePageLimit }
    guard let number = given.number, let limit = Int(exactly: number),
      (1...modulePageLimit).contains(limit)
    else { throw .parse(142, "\"limit\" must be a number from 1 to \(modulePageLimit).") }
    return limit
  }

  /// The moment since which the log has all deletions.
  private mutating func completeSince(_ now: Int64, _ module: LoopbackFerryModule) -> Int64 {
    guard let start = tables[Self.startClass]?.rows.values.map(\.moment).max() else {
      // A person emptied the class.
      beginDeletionLog()
      return now
    }
    return max(start, now - Int64(module.days) * Self.day)
  }

  /// The entries behind a place that a caller may read, in their order.
  private func entries(
    of className: String, _ since: LogPosition, for caller: Caller
  ) -> [Row] {
    let names = Set(caller.names.map(LoopbackValue.string))
    let collation = configuration.collation
    let place = collation.sortKey(of: since.id)
    let behind = (tables[Self.logClass]?.rows.values.map { $0 } ?? []).filter { row in
      guard row.fields["of"]?.string == className, row.moment >= since.at else { return false }
      if row.moment == since.at, collation.sortKey(of: row.objectId) <= place, !since.id.isEmpty {
        return false
      }
      return caller.isMaster || !names.isDisjoint(with: row.fields["readers"]?.array ?? [])
    }
    return behind.sorted {
      ($0.moment, collation.sortKey(of: $0.objectId)) < (
        $1.moment, collation.sortKey(of: $1.objectId)
      )
    }
  }
}

extension Row {
  /// The moment of an entry of the log, in milliseconds.
  fileprivate var moment: Int64 { fields["at"]?.number.map { Int64($0) } ?? 0 }
}
