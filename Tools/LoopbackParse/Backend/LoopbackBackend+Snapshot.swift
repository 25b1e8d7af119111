// Ferry: offline-first sync for Parse Server. MIT licence.

import Foundation

/// The whole state as one value, to be kept between runs.
extension LoopbackBackend {
  /// Everything the server holds, passwords and tokens included.
  ///
  /// - Returns: a value that ``init(_:restoring:)`` takes.
  public func snapshot() -> LoopbackValue {
    [
      "version": 1,
      "classes": .object(tables.mapValues(Self.snapshot)),
      "files": .object(
        files.mapValues { file in
          ["base64": .string(Data(file.bytes).base64EncodedString())]
        }),
      "config": [
        "params": .object(settings.parameters),
        "masterKeyOnly": .object(settings.flags.mapValues(LoopbackValue.bool)),
      ],
      "requestIds": .array(requestIds.sorted().map(LoopbackValue.string)),
    ]
  }

  /// Makes a backend that holds what another one held.
  ///
  /// - Parameters:
  ///   - configuration: the options, which are not part of a snapshot.
  ///   - snapshot: what ``snapshot()`` returned.
  /// - Throws: ``LoopbackError`` if the value is no snapshot.
  public init(
    _ configuration: LoopbackConfiguration, restoring snapshot: LoopbackValue
  ) throws(LoopbackError) {
    self.init(configuration)
    guard snapshot["version"] == 1, let classes = snapshot["classes"]?.object else {
      throw LoopbackError(code: 107, message: "it is no snapshot of version 1")
    }
    for (className, value) in classes { try restore(className, value) }
    for (name, value) in snapshot["files"]?.object ?? [:] {
      let bytes = Data(base64Encoded: value["base64"]?.string ?? "") ?? Data()
      files[name] = StoredFile(bytes: Array(bytes))
    }
    settings.parameters = snapshot["config"]?["params"]?.object ?? [:]
    settings.flags = (snapshot["config"]?["masterKeyOnly"]?.object ?? [:]).compactMapValues(\.bool)
    requestIds = Set((snapshot["requestIds"]?.array ?? []).compactMap(\.string))
    for row in (tables["_Session"]?.rows ?? [:]).values {
      if let token = row.fields["sessionToken"]?.string { sessionIds[token] = row.objectId }
    }
  }

  private static func snapshot(of table: ClassTable) -> LoopbackValue {
    let rows = table.rows.values.sorted { $0.objectId < $1.objectId }.map { row in
      var value: [String: LoopbackValue] = [
        "objectId": .string(row.objectId), "createdAt": .string(row.createdAt.storedText),
        "updatedAt": .string(row.updatedAt.storedText), "fields": .object(row.fields),
      ]
      value["ACL"] = row.access?.value
      return LoopbackValue.object(value)
    }
    let relations = table.relations.mapValues { owners in
      LoopbackValue.object(
        owners.mapValues { ids in .array(ids.sorted().map(LoopbackValue.string)) })
    }
    return [
      "fields": .object(table.schema.fields.mapValues(\.value)),
      "permissions": table.schema.permissions.value, "indexes": .object(table.schema.indexes),
      "rows": .array(rows), "relations": .object(relations),
    ]
  }

  private mutating func restore(
    _ className: String, _ value: LoopbackValue
  ) throws(LoopbackError) {
    var schema = ClassSchema(className: className)
    for (name, field) in value["fields"]?.object ?? [:] {
      guard let typeName = field["type"]?.string else {
        throw LoopbackError(code: 107, message: "\(className).\(name) has no type")
      }
      let type = FieldType(name: typeName, targetClass: field["targetClass"]?.string)
      schema.fields[name] = FieldDefinition(
        type: type, isRequired: field["required"] == true, defaultValue: field["defaultValue"])
    }
    schema.permissions = ClassPermissions(restoring: value["permissions"] ?? [:])
    schema.indexes = value["indexes"]?.object ?? [:]
    var table = ClassTable(schema: schema, collation: configuration.collation)
    for row in value["rows"]?.array ?? [] { table.store(try Self.row(row, className, fileAddress)) }
    table.relations = (value["relations"]?.object ?? [:]).mapValues { owners in
      (owners.object ?? [:]).mapValues { Set(($0.array ?? []).compactMap(\.string)) }
    }
    tables[className] = table
  }

  private static func row(
    _ value: LoopbackValue, _ className: String, _ fileAddress: String
  ) throws(LoopbackError) -> Row {
    guard let objectId = value["objectId"]?.string,
      let createdAt = value["createdAt"]?.string.flatMap(Instant.stored),
      let updatedAt = value["updatedAt"]?.string.flatMap(Instant.stored)
    else {
      throw LoopbackError(code: 107, message: "a row of \(className) lacks its id or its dates")
    }
    var row = Row(
      objectId: objectId, createdAt: createdAt, updatedAt: updatedAt,
      fields: value["fields"]?.object ?? [:])
    row.access = value["ACL"].map(AccessList.init)
    row.encode(fileAddress: fileAddress)
    return row
  }
}
