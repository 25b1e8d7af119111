// Ferry: offline-first sync for Parse Server. MIT licence.

/// `/schemas` and `/purge`, for the master key alone.
extension LoopbackBackend {
  func listSchemas(_ call: Call) throws(Refusal) -> Answer {
    guard call.caller.isMaster else { throw .masterOnly }
    let shown = tables.keys.sorted().compactMap { tables[$0]?.schema.value }
    return Answer(json: ["results": .array(shown)])
  }

  func getSchema(_ className: String, _ call: Call) throws(Refusal) -> Answer {
    guard call.caller.isMaster else { throw .masterOnly }
    return Answer(json: try existingTable(className).schema.value)
  }

  mutating func createSchema(_ pathName: String?, _ call: Call) throws(Refusal) -> Answer {
    guard call.caller.isMaster else { throw .masterOnly }
    let bodyName = call.body["className"]?.string
    if let pathName, let bodyName, pathName != bodyName {
      throw .parse(103, "Class name mismatch between \(bodyName) and \(pathName).")
    }
    guard let className = pathName ?? bodyName else {
      throw .parse(135, "POST \(call.path) needs a class name.")
    }
    guard Names.isClassName(className) else { throw Names.invalidClassOfSchema(className) }
    guard tables[className] == nil else {
      throw .parse(103, "Class \(className) already exists.")
    }
    var schema = ClassSchema(className: className)
    for (name, field) in (call.body["fields"]?.object ?? [:]).sorted(by: { $0.key < $1.key }) {
      schema.fields[name] = try fieldDefinition(name, field, of: className)
    }
    try applyPermissionsAndIndexes(call.body, to: &schema)
    tables[className] = ClassTable(schema: schema, collation: configuration.collation)
    return Answer(json: schema.value)
  }

  mutating func updateSchema(_ className: String, _ call: Call) throws(Refusal) -> Answer {
    guard call.caller.isMaster else { throw .masterOnly }
    var table = try existingTable(className)
    if let bodyName = call.body["className"]?.string, bodyName != className {
      throw .parse(103, "Class name mismatch between \(bodyName) and \(className).")
    }
    var dropped: [String] = []
    for (name, field) in (call.body["fields"]?.object ?? [:]).sorted(by: { $0.key < $1.key }) {
      if field["__op"] == "Delete" {
        try checkFieldCanGo(name, of: table.schema)
        dropped.append(name)
      } else {
        let definition = try fieldDefinition(name, field, of: className)
        if let old = table.schema.fields[name], old.type != definition.type {
          throw .parse(255, "Field \(name) exists, cannot update.")
        }
        table.schema.fields[name] = definition
      }
    }
    try applyPermissionsAndIndexes(call.body, to: &table.schema)
    for name in dropped { drop(field: name, from: &table) }
    tables[className] = table
    return Answer(json: table.schema.value)
  }

  mutating func deleteSchema(_ className: String, _ call: Call) throws(Refusal) -> Answer {
    guard call.caller.isMaster else { throw .masterOnly }
    guard Names.isClassName(className) else { throw Names.invalidClassOfSchema(className) }
    if let count = tables[className]?.rows.count, count > 0 {
      throw .parse(
        255, "Class \(className) is not empty, contains \(count) objects, cannot drop schema.")
    }
    tables[className] = nil
    return Answer(json: [:])
  }

  /// Empties a class; no trigger runs and nothing tells a client which rows are gone.
  mutating func purge(_ className: String, _ call: Call) throws(Refusal) -> Answer {
    guard call.caller.isMaster else { throw .masterOnly }
    tables[className]?.removeAll()
    return Answer(json: [:])
  }

  private func existingTable(_ className: String) throws(Refusal) -> ClassTable {
    guard let table = tables[className] else {
      throw .parse(103, "Class \(className) does not exist.")
    }
    return table
  }

  private func checkFieldCanGo(_ name: String, of schema: ClassSchema) throws(Refusal) {
    if ClassSchema.commonFields[name] != nil {
      throw .parse(136, "field \(name) cannot be changed")
    }
    if schema.fields[name] == nil {
      throw .parse(255, "Field \(name) does not exist, cannot delete.")
    }
  }

  private func drop(field name: String, from table: inout ClassTable) {
    table.schema.fields[name] = nil
    table.relations[name] = nil
    for id in Array(table.rows.keys) {
      guard var row = table.rows[id], row.fields[name] != nil else { continue }
      row.fields[name] = nil
      row.encode(fileAddress: fileAddress)
      table.store(row)
    }
  }

  private func applyPermissionsAndIndexes(
    _ body: LoopbackValue, to schema: inout ClassSchema
  ) throws(Refusal) {
    if let permissions = body["classLevelPermissions"] {
      schema.permissions = try ClassPermissions(permissions)
    }
    guard let indexes = body["indexes"]?.object else { return }
    schema.indexes["_id_"] = ["_id": 1]
    for (name, index) in indexes {
      if index["__op"] == "Delete" {
        schema.indexes[name] = nil
        continue
      }
      if let old = schema.indexes[name], name != "_id_", old != .null {
        throw .parse(102, "Index \(name) exists, cannot update.")
      }
      for field in (index.object ?? [:]).keys.sorted() where schema.fields[field] == nil {
        throw .parse(102, "Field \(field) does not exist, cannot add index.")
      }
      schema.indexes[name] = index
    }
  }

  private func fieldDefinition(
    _ name: String, _ value: LoopbackValue, of className: String
  ) throws(Refusal) -> FieldDefinition {
    guard Names.isFieldName(name) else { throw .parse(105, "invalid field name: \(name)") }
    if ClassSchema.commonFields[name] != nil {
      throw .parse(136, "field \(name) cannot be added")
    }
    guard let typeName = value["type"]?.string else { throw .parse(107, "invalid JSON") }
    var type = FieldType(name: typeName)
    if typeName == "Pointer" || typeName == "Relation" {
      guard let target = value["targetClass"] else {
        throw .parse(135, "type \(typeName) needs a class name")
      }
      guard let target = target.string else { throw .parse(107, "invalid JSON") }
      guard Names.isClassName(target) else { throw Names.invalidClassOfSchema(target) }
      type.targetClass = target
    } else if !FieldType.plainNames.contains(typeName) {
      throw .parse(111, "invalid field type: \(typeName)")
    }
    var definition = FieldDefinition(type: type)
    definition.isRequired = value["required"]?.isTruthy ?? false
    if let given = value["defaultValue"], given != .null {
      let found = try TypeInference.type(of: given) ?? type
      guard found == type else {
        throw Self.mismatch("\(className).\(name) default value", type, found)
      }
      definition.defaultValue = given
    }
    return definition
  }
}
