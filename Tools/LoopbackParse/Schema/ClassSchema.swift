// Ferry: offline-first sync for Parse Server. MIT licence.

/// A class without its rows: fields, permissions, indexes.
struct ClassSchema: Sendable {
  let className: String
  var fields: [String: FieldDefinition]
  var permissions = ClassPermissions.open
  var indexes: [String: LoopbackValue] = [:]

  init(className: String) {
    self.className = className
    fields = Self.commonFields
    for (name, type) in Self.builtIn[className] ?? [:] {
      fields[name] = FieldDefinition(type: type)
    }
  }

  /// The four columns that every class has.
  static let commonFields: [String: FieldDefinition] = [
    "objectId": FieldDefinition(type: .string), "createdAt": FieldDefinition(type: .date),
    "updatedAt": FieldDefinition(type: .date), "ACL": FieldDefinition(type: .accessList),
  ]

  /// The classes a server brings along.
  static let builtIn: [String: [String: FieldType]] = [
    "_User": [
      "username": .string, "password": .string, "email": .string, "emailVerified": .boolean,
      "authData": .object,
    ],
    "_Role": ["name": .string, "users": .relation("_User"), "roles": .relation("_Role")],
    "_Session": [
      "user": .pointer("_User"), "installationId": .string, "sessionToken": .string,
      "expiresAt": .date, "createdWith": .object,
    ],
    "_Installation": [
      "installationId": .string, "deviceToken": .string, "deviceType": .string,
      "channels": .array, "badge": .number, "timeZone": .string,
    ],
  ]

  /// The relation fields, which every row shows whether it has members or not.
  var relations: [(field: String, target: String)] {
    fields.compactMap { name, definition in
      guard definition.type.name == "Relation", let target = definition.type.targetClass else {
        return nil
      }
      return (name, target)
    }.sorted { $0.field < $1.field }
  }

  /// The class as `GET /schemas/…` shows it.
  var value: LoopbackValue {
    var members: [String: LoopbackValue] = [
      "className": .string(className), "fields": .object(fields.mapValues(\.value)),
      "classLevelPermissions": permissions.value,
    ]
    if !indexes.isEmpty { members["indexes"] = .object(indexes) }
    return .object(members)
  }
}
