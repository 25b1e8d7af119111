// Ferry: offline-first sync for Parse Server. MIT licence.

extension LoopbackBackend {
  mutating func update(
    _ className: String, _ objectId: String, _ call: Call
  ) throws(Refusal) -> Answer {
    if className == "_User" { return try updateUser(objectId, call) }
    let echo = try change(className, objectId, call.fields, call)
    try checkLiveObject(className, call.fields)
    if className == "_Role", call.fields["name"] != nil {
      throw .parse(-1, "A role's name can only be set before it has been saved.")
    }
    return Answer(json: .object(echo))
  }

  /// Checks and carries out an update; returns what the client is told.
  mutating func change(
    _ className: String, _ objectId: String, _ sent: [String: LoopbackValue], _ call: Call
  ) throws(Refusal) -> [String: LoopbackValue] {
    var fields = sent
    try ForbiddenKeys.checkKeywords(fields)
    try checkClassMayBeNamed(className, by: call.caller)
    reportHarm(in: sent, className, call)
    var echo = try runBeforeSave(className, original: objectId, &fields, call.caller)
    try openClass(className, for: call.caller)
    try enforceSchema(className, fields, for: call.caller)
    try checkStaysFilled(className, fields)
    try tables[className]?.schema.permissions.check(.update, for: call.caller)
    try checkTypesThatCanChange(fields)
    try checkColumns(className, fields)
    guard var row = tables[className]?.rows[objectId], call.caller.mayWrite(row),
      isOpen(row, of: className, to: .update, for: call.caller)
    else { throw .objectNotFound }
    try apply(fields, to: &row, className, &echo, call)
    row.updatedAt = call.stamp
    try replace(className, row, renamedTo: fields["objectId"])
    changeRelations(className, objectId, fields)
    echo["updatedAt"] = .string(call.stamp.text)
    return echo
  }

  private mutating func apply(
    _ fields: [String: LoopbackValue], to row: inout Row, _ className: String,
    _ echo: inout [String: LoopbackValue], _ call: Call
  ) throws(Refusal) {
    let original = row
    let changedByTrigger = Set(echo.keys)
    for (name, value) in fields.sorted(by: { $0.key < $1.key }) {
      if name == "ACL" {
        if value != .null { row.access = AccessList(value) }
      } else if ClassSchema.commonFields[name] != nil || Self.isRelationOperation(value) {
        continue
      } else if let operation = value["__op"] {
        let path = name.split(separator: ".").map(String.init)[...]
        guard let root = path.first else { continue }
        let old = NestedFields.value(path.dropFirst(), of: row.fields[root])
        // The database adds to columns only; inside an object the operation itself is stored.
        let isStored = path.count > 1 && ["Add", "AddUnique", "Remove"].contains(operation.string)
        let new = isStored ? value : try FieldOperation.apply(value, to: old)
        row.fields[root] = NestedFields.setting(path.dropFirst(), of: row.fields[root], to: new)
        if operation != "Delete" {
          echo[root] = NestedFields.setting(path.dropFirst(), of: echo[root], to: new)
        }
      } else {
        try set(name, to: value, in: &row, className, call)
      }
    }
    // LiveQuery has read the original with the caller's rights, and the answer leaves out what is as it was.
    guard call.caller.mayRead(original) else { return }
    for (name, value) in echo
    where value == original.fields[name] && !changedByTrigger.contains(name) {
      echo[name] = nil
    }
  }

  /// Stores a changed row; an `objectId` among the fields changes the row's key, as it does in
  /// PostgreSQL.
  private mutating func replace(
    _ className: String, _ row: Row, renamedTo newId: LoopbackValue?
  ) throws(Refusal) {
    var row = row
    if let newId = newId?.string, newId != row.objectId {
      guard tables[className]?.rows[newId] == nil else { throw .duplicateValue }
      commitRemoval(of: row.objectId, from: className)
      row = Row(
        objectId: newId, createdAt: row.createdAt, updatedAt: row.updatedAt, fields: row.fields,
        access: row.access)
    }
    row.encode(fileAddress: fileAddress)
    commit(row, to: className)
  }

  private static func isRelationOperation(_ value: LoopbackValue) -> Bool {
    switch value["__op"] {
    case "AddRelation", "RemoveRelation", "Batch": true
    default: false
    }
  }

  private static func isBatchOfArrays(_ value: LoopbackValue) -> Bool {
    value["__op"] == "Batch" && !(value["ops"]?.array ?? []).allSatisfy(isRelationOperation)
  }

  /// PostgreSQL's adapter can store bytes with a new row, and never change them.
  ///
  /// It cannot apply several operations to an array at once either.
  private func checkTypesThatCanChange(_ fields: [String: LoopbackValue]) throws(Refusal) {
    if let value = fields.values.first(where: { $0.typeName == "Bytes" || Self.isBatchOfArrays($0) }
    ) {
      throw .parse(119, "Postgres doesn't support update \(JSONWriter.text(of: value)) yet")
    }
  }

  /// Clearing a column that does not exist is an error of the database, whether the row exists or not.
  private func checkColumns(
    _ className: String, _ fields: [String: LoopbackValue]
  ) throws(Refusal) {
    let declared = tables[className]?.schema.fields ?? [:]
    for (name, value) in fields.sorted(by: { $0.key < $1.key }) {
      if value["__op"] == "Batch", value["ops"]?.array?.isEmpty ?? true { throw .bare }
      if let inner = value.object, value.typeName == nil,
        inner.keys.contains(where: { $0.contains("$") || $0.contains(".") })
      {
        throw ForbiddenKeys.sign
      }
      try Self.checkText(in: value, isColumn: true)
      guard value == .null || value["__op"] == "Delete" else { continue }
      let type = declared[String(name.prefix { $0 != "." })]?.type
      if type == nil || type?.name == "Relation" {
        throw Refusal.unknownColumn(name, of: className)
      }
    }
  }

  private func checkStaysFilled(
    _ className: String, _ fields: [String: LoopbackValue]
  ) throws(Refusal) {
    for (name, definition) in tables[className]?.schema.fields ?? [:]
    where definition.isRequired && fields[name] != nil && Self.isBlank(fields[name]) {
      throw .parse(142, "\(name) is required")
    }
  }

  private mutating func reportHarm(
    in fields: [String: LoopbackValue], _ className: String, _ call: Call
  ) {
    let request = "\(call.method) \(call.path)"
    if fields["objectId"] != nil {
      report(.objectIdInUpdate, request, "The body of the update has an objectId.")
    }
    for name in ["createdAt", "updatedAt"] where fields[name] != nil {
      report(.timestampInUpdate, request, "The body of the update has \(name).")
    }
  }
}
