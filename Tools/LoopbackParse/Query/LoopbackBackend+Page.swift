// Ferry: offline-first sync for Parse Server. MIT licence.

/// Writes rows as a client gets to see them.
extension LoopbackBackend {
  /// Each row's JSON, after projection, inclusion, protection and `afterFind`.
  func page(
    _ rows: [Row], _ className: String, _ options: FindOptions, _ caller: Caller
  ) -> [[UInt8]] {
    let schema = tables[className]?.schema
    let stubs = Self.stubs(schema)
    let afterFind = configuration.triggers[className]?.afterFind
    let hidden = schema?.permissions.protectedFields(for: caller) ?? []
    let isPlain =
      options.includes.isEmpty && afterFind == nil && className != "_User" && hidden.isEmpty
      && options.redirectKey == nil
    if isPlain {
      let keys = Self.keys(options, schema)
      return rows.map { encoded($0, keys: keys, stubs: stubs) }
    }
    var values = rows.map { shown($0, className, options, caller) }
    if let afterFind { values = afterFind(values) }
    if afterFind != nil || options.redirectKey != nil {
      values = values.map { Self.named($0, className) }
    }
    return values.map(JSONWriter.bytes)
  }

  /// Rows that were objects of the server's SDK on their way say of what class they are.
  private static func named(_ row: LoopbackValue, _ className: String) -> LoopbackValue {
    var members = row.object ?? [:]
    members["className"] = .string(className)
    return .object(members)
  }

  private func encoded(_ row: Row, keys: Set<String>?, stubs: String) -> [UInt8] {
    var writer = JSONWriter()
    writer.raw("{")
    if let keys {
      row.write(to: &writer, keys: keys, fileAddress: fileAddress)
    } else {
      writer.raw(row.encoded)
    }
    writer.raw(stubs)
    writer.raw("}")
    return writer.bytes
  }

  /// The fields asked for; nil for all.
  private static func keys(_ options: FindOptions, _ schema: ClassSchema?) -> Set<String>? {
    guard options.keys != nil || !options.excludedKeys.isEmpty else { return nil }
    let all = options.keys ?? Set(schema?.fields.keys.map { $0 } ?? [])
    return all.subtracting(options.excludedKeys)
  }

  /// Relation fields appear in every row, even if the query did not request them.
  private static func stubs(_ schema: ClassSchema?) -> String {
    (schema?.relations ?? []).map { field, target in
      ",\"\(field)\":{\"__type\":\"Relation\",\"className\":\"\(target)\"}"
    }.joined()
  }

  /// A row as a value, with the objects that `include` requests instead of pointers.
  private func shown(
    _ row: Row, _ className: String, _ options: FindOptions, _ caller: Caller
  ) -> LoopbackValue {
    let schema = tables[className]?.schema
    var members = row.value(fileAddress: fileAddress).object ?? [:]
    if let keys = Self.keys(options, schema) {
      members = members.filter { name, _ in
        keys.contains(name) || ClassSchema.commonFields[name] != nil
      }
    }
    for (field, target) in schema?.relations ?? [] {
      members[field] = ["__type": "Relation", "className": .string(target)]
    }
    if className == "_User" { protectUser(&members, row, caller) }
    if className == "_User", options.showsOwnToken, caller.userId == row.objectId {
      members["sessionToken"] = caller.sessionToken.map(LoopbackValue.string)
    }
    for name in schema?.permissions.protectedFields(for: caller) ?? [] { members[name] = nil }
    for path in options.includes { include(path[...], in: &members, caller) }
    for (name, keys) in options.nestedKeys where members[name]?.typeName == "Object" {
      members[name] = members[name]?.keeping(keys)
    }
    return .object(members)
  }

  /// Puts the row a pointer leads to in its place; without such a row the field goes.
  private func include(
    _ path: ArraySlice<String>, in members: inout [String: LoopbackValue], _ caller: Caller
  ) {
    guard let name = path.first else { return }
    let names = name == "*" ? Array(members.keys) : [name]
    for name in names {
      guard let value = members[name] else { continue }
      if value.typeName == "Object", case .object(var inner) = value {
        include(path.dropFirst(), in: &inner, caller)
        members[name] = .object(inner)
      } else if value.typeName == "Pointer", let className = value["className"]?.string,
        let id = value["objectId"]?.string
      {
        members[name] = included(className, id, path.dropFirst(), caller)
      }
    }
  }

  private func included(
    _ className: String, _ id: String, _ rest: ArraySlice<String>, _ caller: Caller
  ) -> LoopbackValue? {
    guard let row = tables[className]?.rows[id], mayRead(row, className, caller) else {
      return nil
    }
    let options = FindOptions(projectionOf: [:])
    guard case .object(var members) = shown(row, className, options, caller) else { return nil }
    members["__type"] = "Object"
    members["className"] = .string(className)
    include(rest, in: &members, caller)
    return .object(members)
  }
}

extension LoopbackValue {
  /// A row of which only some fields are asked for.
  fileprivate func keeping(_ keys: Set<String>) -> LoopbackValue {
    .object(
      (object ?? [:]).filter { name, _ in
        keys.contains(name) || ClassSchema.commonFields[name] != nil || name == "__type"
          || name == "className"
      })
  }
}
