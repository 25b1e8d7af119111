// Ferry: offline-first sync for Parse Server. MIT licence.

import Randomness

extension LoopbackBackend {
  mutating func create(_ className: String, _ call: Call) throws(Refusal) -> Answer {
    if className == "_User" { return try signUp(call) }
    let row = try insert(className, call.fields, call)
    try checkLiveObject(className, call.fields)
    return try created(row.row, className, row.echo)
  }

  /// The answer to a create: id, date, and what the server decided by itself.
  ///
  /// Node cannot send an id beyond Latin-1 in a header; by then the row is stored.
  func created(
    _ row: Row, _ className: String, _ echo: [String: LoopbackValue]
  ) throws(Refusal) -> Answer {
    guard row.objectId.unicodeScalars.allSatisfy({ $0.value < 256 }) else { throw .bare }
    var body = echo
    body["objectId"] = .string(row.objectId)
    body["createdAt"] = .string(row.createdAt.text)
    var answer = Answer(status: 201, json: .object(body))
    let place = className == "_User" ? "users" : "classes/\(className)"
    answer.headers["Location"] = "\(publicURL)/\(place)/\(row.objectId)"
    return answer
  }

  /// Checks and stores a new row; returns it with what a client is told besides id and date.
  mutating func insert(
    _ className: String, _ sent: [String: LoopbackValue], _ call: Call
  ) throws(Refusal) -> (row: Row, echo: [String: LoopbackValue]) {
    var fields = sent
    try ForbiddenKeys.checkKeywords(fields)
    try checkChosenId(&fields)
    try checkClassMayBeNamed(className, by: call.caller)
    let changed = try runBeforeSave(className, original: nil, &fields, call.caller)
    var echo = changed
    try openClass(className, for: call.caller)
    try enforceSchema(className, fields, for: call.caller)
    try fillIn(className, &fields, &echo)
    if className == "_Role" { try checkRole(fields) }
    try tables[className]?.schema.permissions.check(.create, for: call.caller)
    try checkForDatabase(className, fields)

    let objectId = fields.removeValue(forKey: "objectId")?.string ?? freshId(in: className)
    guard tables[className]?.rows[objectId] == nil else { throw .duplicateValue }
    let hasTrigger = configuration.triggers[className]?.beforeSave != nil
    let dates = try ChosenDates(fields, call, hasTrigger: hasTrigger)
    var row = Row(
      objectId: objectId, createdAt: dates.createdAt, updatedAt: dates.updatedAt)
    row.access = access(of: className, fields.removeValue(forKey: "ACL"), call.caller, &echo)
    for (name, value) in fields where !Self.isTimestamp(name) {
      if let flat = try FieldOperation.flatten(value) {
        try set(name, to: flat, in: &row, className, call)
      }
      if value["__op"] != nil, value["__op"] != "Delete", echo[name] == nil {
        echo[name] = row.fields[name]
      }
    }
    row.encode(fileAddress: fileAddress)
    commit(row, to: className)
    changeRelations(className, row.objectId, fields)
    return (row, echo)
  }

  /// Refuses what only the database finds to be wrong.
  private func checkForDatabase(
    _ className: String, _ fields: [String: LoopbackValue]
  ) throws(Refusal) {
    for (name, value) in fields.sorted(by: { $0.key < $1.key }) where name != "ACL" {
      if value.typeName == "Relation" { throw Refusal.unknownColumn(name, of: className) }
      if ForbiddenKeys.hasSign(in: value) { throw ForbiddenKeys.sign }
      try Self.checkText(in: value, isColumn: true)
    }
  }

  /// PostgreSQL cannot keep U+0000, neither in a text nor in JSON.
  static func checkText(in value: LoopbackValue, isColumn: Bool) throws(Refusal) {
    switch value {
    case .string(let text):
      guard text.utf8.contains(0) else { return }
      throw isColumn
        ? .thrown(driverCode: "08P01", text: "invalid message format")
        : .thrown(driverCode: "22P05", text: "unsupported Unicode escape sequence")
    case .array(let elements):
      for element in elements { try checkText(in: element, isColumn: false) }
    case .object(let members):
      for member in members.values { try checkText(in: member, isColumn: false) }
    default: return
    }
  }

  static func isTimestamp(_ name: String) -> Bool { name == "createdAt" || name == "updatedAt" }

  private func checkChosenId(_ fields: inout [String: LoopbackValue]) throws(Refusal) {
    let given = fields["objectId"]
    if configuration.allowCustomObjectId {
      if let given, !given.isTruthy {
        throw .parse(104, "objectId must not be empty, null or undefined")
      }
      if given?["__op"] != nil { throw .bare }
      return
    }
    for name in ["objectId", "id"] where fields[name]?.isTruthy ?? false {
      throw .parse(105, "\(name) is an invalid field name.")
    }
    fields["objectId"] = nil
  }

  mutating func freshId(in className: String) -> String {
    if let chosen = nextObjectId {
      nextObjectId = nil
      return chosen
    }
    while true {
      let id = generator.objectId()
      if tables[className]?.rows[id] == nil { return id }
    }
  }

  /// Fills in defaults and refuses what the schema requires and nobody sent.
  private func fillIn(
    _ className: String, _ fields: inout [String: LoopbackValue],
    _ echo: inout [String: LoopbackValue]
  ) throws(Refusal) {
    let declared = tables[className]?.schema.fields ?? [:]
    for (name, definition) in declared.sorted(by: { $0.key < $1.key }) {
      guard definition.isRequired || definition.defaultValue != nil else { continue }
      guard Self.isBlank(fields[name]) else { continue }
      if let value = definition.defaultValue {
        // The real server trips over null here, while it looks for a Delete operation.
        if fields[name] == .null { throw .bare }
        if fields[name] == nil || fields[name]?["__op"] == "Delete" {
          fields[name] = value
          echo[name] = value
          continue
        }
      }
      if definition.isRequired { throw .parse(142, "\(name) is required") }
    }
  }

  static func isBlank(_ value: LoopbackValue?) -> Bool {
    value == nil || value == .null || value == "" || value?["__op"] == "Delete"
  }

  /// Stores one plain value in a row, in the form the database keeps it.
  mutating func set(
    _ name: String, to value: LoopbackValue, in row: inout Row, _ className: String, _ call: Call
  ) throws(Refusal) {
    if value.typeName == "Relation" || value["__op"] != nil { return }
    if value.typeName == "File", value["url"]?.string?.isEmpty ?? true {
      report(
        .fileWithoutURL, "\(call.method) \(call.path)",
        "The file in \(className).\(name) has no url.")
    }
    if value.typeName == "Pointer", value["objectId"]?.string?.isEmpty ?? true {
      report(
        .pointerWithoutObjectId, "\(call.method) \(call.path)",
        "The pointer in \(className).\(name) has no objectId.")
    }
    let path = name.split(separator: ".").map(String.init)
    if path.count > 1 {
      row.fields[path[0]] = NestedFields.setting(
        path.dropFirst(), of: row.fields[path[0]], to: value)
    } else {
      row.fields[name] = try StoredValue.canonical(value)
    }
  }
}
